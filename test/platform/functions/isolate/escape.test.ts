import { afterAll, expect, test } from 'vitest'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

// Each attempt answers with what it got hold of, as text; nothing when it got nothing.
const code = codeOf('attempts')

const names = [...code.matchAll(/^ {2}(?:async )?(\w+)(?:: |\()/gm)].map(([, name]) => name!)
const spec = specOf(code)
const reached: string[] = []
const isolates = openTestIsolates({
  spares: 1,
  services: {
    fetchTarget(url) {
      reached.push(url.host)
      return { refused: 'there is nothing there' }
    }
  }
})
afterAll(isolates.close)

test('the attempts are those of the function', async () => {
  const { text } = await isolates.ask(spec, { path: '/attempts' })
  expect(text!.split(',').filter((name) => !names.includes(name))).toEqual([])
  expect(names.length).toBeGreaterThan(40)
})

const harmless = /^(undefined|none|\[\]|threw ((Type|Reference|Syntax|Eval|NotSupported)?Error))$/

test.each(names.filter((name) => name !== 'fetch'))('%s leads nowhere', async (name) => {
  const { text } = await isolates.ask(spec, { path: `/${name}` })
  expect(text).toMatch(harmless)
  expect((await isolates.ask(spec, { path: '/alive' })).text).toBe('alive')
})

test.each(['evaluates', 'evaluatesDirectly', 'makesFunctions', 'extendsFunction'])(
  '%s is told that no code is made of texts',
  async (name) => {
    expect((await isolates.ask(spec, { path: `/${name}` })).text).toBe('threw EvalError')
  }
)

test('a fetch with a dispatcher of its own went through the platform all the same', () => {
  expect(reached).toContain('elsewhere.test')
})

test('no account passes through what a function can change', async () => {
  const cpuMs = { fetch: 5_000, scheduled: 50, queue: 50, alarm: 50 }
  const spying = specOf(codeOf('spying'), { limits: limitsOf({ cpuMs }) })
  async function* body() {
    yield Buffer.from('sent')
  }
  const sent = { method: 'PUT', body: body() } as object
  const { text, record } = await isolates.ask(spying, sent)
  expect({ text, outcome: record.outcome }).toEqual({ text: '', outcome: 'ok' })
  expect(record.cpuUs).toBeGreaterThan(5_000)
})

test('two functions share nothing, not even versions of the same', async () => {
  const sharing = `export default {
    fetch() {
      const seen = [globalThis.mark, Array.prototype.mark].join()
      globalThis.mark = Array.prototype.mark = 'left'
      return new Response(seen)
    }
  }`
  const one = specOf(sharing)
  expect((await isolates.ask(one)).text).toBe(',')
  expect((await isolates.ask(one)).text).toBe('left,left')
  expect((await isolates.ask(specOf(sharing))).text).toBe(',')
  expect((await isolates.ask({ ...one, version: '2' })).text).toBe(',')
})

test('a body of another request cannot be read', async () => {
  const borrowing = specOf(`
    let lent
    export default {
      async fetch({ method, body }) {
        if (method === 'GET')
          return new Response(await new Response(lent).text().catch((error) => error.message))
        lent = body
        await new Promise((resolve) => setTimeout(resolve, 300))
        return new Response('lent')
      }
    }`)
  async function* body() {
    yield Buffer.from('secret')
  }
  await isolates.check(borrowing)
  const lent = isolates.ask(borrowing, { method: 'PUT', body: body() } as object)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await isolates.ask(borrowing)).text).toBe(
    'Cannot perform I/O on behalf of a different request.'
  )
  expect((await lent).text).toBe('lent')
})
