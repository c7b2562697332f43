import { afterAll, expect, test } from 'vitest'
import { limitsOf, openTestIsolates, specOf } from './isolates.ts'

// Digests, keys and compression are the work of other threads, and the time of whoever asked.
// The garbage of one is collected in the turn of whoever runs then: after copies of 20 MB that is
// some 20 ms each time, so those who ask for little are given room for it.
const cpuMs = { fetch: 150, scheduled: 150, queue: 150, alarm: 150 }
const code = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const bytes = () => new Uint8Array(2e7)
const works = {
  digests: async () => {
    const sent = bytes()
    for (let n = 0; n < 40; n++) await crypto.subtle.digest('SHA-512', sent)
  },
  derives: async () => {
    const usages = ['deriveBits']
    const key = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, usages)
    const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-512', salt: new Uint8Array(8), iterations: 1e5 }
    for (let n = 0; n < 60; n++) await crypto.subtle.deriveBits(pbkdf2, key, 512)
  },
  compresses: async () => {
    const chunk = new Uint8Array(65536).map((_, index) => (index * 2654435761) >> 7)
    const { readable, writable } = new CompressionStream('gzip')
    const [reader, writer] = [readable.getReader(), writable.getWriter()]
    void (async () => { while (!(await reader.read()).done); })()
    for (let n = 0; n < 5000; n++) await writer.write(chunk)
  },
  innocent: async () => {
    for (let n = 0; n < 20; n++) {
      await crypto.subtle.digest('SHA-256', new Uint8Array(64))
      await sleep(5)
    }
  }
}
export default {
  async fetch({ url }) {
    await works[new URL(url).pathname.slice(1)]()
    return new Response('done')
  }
}`
const spec = specOf(code, { limits: limitsOf({ cpuMs }) })
const isolates = openTestIsolates({
  // One of many on a busy machine is not to be taken for a runaway.
  rules: { overruns: { tolerated: Infinity, of: 1, factor: 3, leastExtraMs: 10 } }
})
afterAll(isolates.close)

test.each(['digests', 'derives', 'compresses'])(
  '%s: is ended and charged, and who asks for little beside it is not',
  async (name) => {
    const innocents = [1, 2].map(() => isolates.ask(spec, { path: '/innocent' }))
    const { record } = await isolates.ask(spec, { path: `/${name}` })
    expect(record.outcome).toBe('exceededCpu')
    expect(record.cpuUs).toBeGreaterThan(cpuMs.fetch * 1_000)
    for (const innocent of await Promise.all(innocents))
      expect(innocent).toMatchObject({ text: 'done', record: { outcome: 'ok' } })
  }
)

test('what is allowed is charged with it', async () => {
  const roomy = specOf(code, { limits: limitsOf({ cpuMs: { ...cpuMs, fetch: 30_000 } }) })
  const { text, record } = await isolates.ask(roomy, { path: '/digests' })
  expect(text).toBe('done')
  // Forty digests of twenty megabytes: no processor does that in a tenth of a second.
  expect(record.cpuUs).toBeGreaterThan(100_000)
})
