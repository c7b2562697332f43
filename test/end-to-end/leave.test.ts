import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { listenAt } from '../listen-at.ts'
import { often } from './often.ts'
import { plimsoll, start } from './plimsoll.ts'
import { refused } from './refused.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'plimsoll-leave-'))
const preload = pathToFileURL(resolve(import.meta.dirname, 'names.js')).href

/** Runs a command for which names mean what is given: the first time, and from then on. */
async function among(names: Record<string, string[]>, args: readonly string[], env = {}) {
  const log = join(folder(), 'log')
  const { ended } = start(args, {
    env: {
      ...env,
      NODE_OPTIONS: `--import ${preload}`,
      PLIMSOLL_TEST_NAMES: JSON.stringify({ names, log })
    }
  })
  const { code, stdout, stderr } = await ended
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
  const those = (what: string) =>
    lines.flatMap((line) => (line.startsWith(what) ? [line.slice(what.length + 1)] : []))
  return { code, stdout, stderr, lookups: those('lookup'), connects: those('connect') }
}

/** An authorisation of one host, as a file. */
function authorising(host: string, caps: { requestsPerSecond: number; seconds: number }): string {
  const file = join(folder(), 'authorisation.json')
  const entry = { host, authorisedBy: 'a test', until: '2099-12-31', ...caps }
  writeFileSync(file, JSON.stringify({ targets: [entry] }))
  return file
}

/** A folder with one check, and one load, of a service. */
function document(): string {
  const place = folder()
  writeFileSync(
    join(place, 'clauses.json'),
    JSON.stringify([{ id: 'a', kind: 'rule', documented: '200' }])
  )
  writeFileSync(
    join(place, 'check.ts'),
    `import { get } from 'node:http'
import { check } from 'plimsoll'
export default check({
  title: 'It answers',
  clauses: ['a'],
  needs: ['service'],
  async run({ service, verify }) {
    const replies = [await service.get('/'), await service.send({ method: 'GET', path: '/' })]
    if (process.env.HTTP_PROXY) {
      await fetch(service.url, { redirect: 'manual' }).catch(() => {})
      await new Promise((resolve) => get(service.url, resolve).on('error', resolve))
    }
    verify('a', true, ...replies)
  }
})
`
  )
  writeFileSync(join(place, 'many.ts'), often)
  return place
}

/** Every command that sends, on one URL, for a short while. */
const commands: [name: string, args: (url: string) => string[]][] = [
  ['load', (url) => ['load', url, '-n', '20', '-c', '2']],
  ['load by undici', (url) => ['load', url, '-n', '20', '-c', '2', '--engine', 'undici']],
  ['load by autocannon', (url) => ['load', url, '-n', '20', '-c', '2', '--engine', 'autocannon']],
  ['run', (url) => ['run', '--target', url, '--scenarios', document()]],
  ['probe', (url) => ['probe', url, '--limits', 'url']],
  ['compare', (url) => ['compare', '--a', url, '--b', url, '--time', '20s']],
  ['capacity', (url) => ['capacity', url, '--time', '5s']],
  [
    'soak',
    (url) => ['soak', url, '-r', '20', '-c', '2', '-d', '2s', '--metrics-url', `${url}metrics`]
  ]
]

describe('the address that was checked is the one that is sent to', () => {
  test.each(commands)('by %s', async (_, args) => {
    const right = await listenAt('127.0.0.2')
    const wrong = await listenAt('127.0.0.3', { port: right.port })
    const names = { 'there.localhost': ['127.0.0.2', '127.0.0.2', '127.0.0.3'] }
    // A command that has two URLs checks each of them.
    const [command] = args('http://x/') as [string]
    const checks = ['compare', 'soak'].includes(command) ? 2 : 1
    if (checks === 1) names['there.localhost'].shift()
    const { lookups, connects, stderr } = await among(
      names,
      args(`http://there.localhost:${right.port}/`)
    )
    expect(lookups, stderr).toEqual(Array(checks).fill('there.localhost'))
    expect(new Set(connects)).toEqual(new Set([`127.0.0.2:${right.port}`]))
    expect(right.connections()).toBeGreaterThan(0)
    expect(new Set(right.hosts())).toEqual(new Set([`there.localhost:${right.port}`]))
    expect(wrong.connections()).toBe(0)
  })
}, 120_000)

describe('a name of loopback that leads elsewhere needs leave', () => {
  test.each(commands)('by %s', async (_, args) => {
    const names = { 'there.localhost': ['192.0.2.1'], localhost: ['192.0.2.2'] }
    for (const [host, address] of Object.entries(names)) {
      const { code, stderr, connects } = await among(names, args(`http://${host}:8080/`))
      expect(stderr).toMatch(
        new RegExp(`nobody has authorised tests of ${host}:8080, which is ${address}`)
      )
      expect(code).toBe(77)
      expect(connects).toEqual([])
    }
  })
}, 120_000)

describe('caps hold while it is sent', () => {
  // It leads to this machine, and is no address of loopback.
  const anywhere = '0.0.0.0'
  const caps = { requestsPerSecond: 20, seconds: 5 }
  const most = caps.requestsPerSecond * caps.seconds

  /** Runs a command against a server of this machine that needs leave, and counts what came. */
  const counted = async (args: (url: string) => string[], { seconds } = caps) => {
    const there = await listenAt(anywhere)
    const file = authorising(anywhere, { ...caps, seconds })
    const asked = [...args(`http://${anywhere}:${there.port}/`), '--authorisation', file]
    const ended = await plimsoll(...asked)
    return { ...ended, times: there.times() }
  }
  /** Whether no second held more than is allowed, but for what whoever was late makes up for. */
  const keepsTo = (times: readonly number[], { seconds } = caps) => {
    const perSecond = times.map(
      (from) => times.filter((at) => at >= from && at < from + 1_000).length
    )
    expect(Math.max(...perSecond)).toBeLessThanOrEqual(1.25 * caps.requestsPerSecond)
    expect(times.length).toBeLessThanOrEqual(caps.requestsPerSecond * seconds + 5)
    expect(times.at(-1)! - times[0]!).toBeLessThan(seconds * 1_000 + 1_000)
  }

  test('by a load that may last as long', async () => {
    const { times, code, stdout, stderr } = await counted((url) => {
      return ['load', url, '-r', '20', '-c', '4', '-w', '2', '-d', '5s', '--json']
    })
    keepsTo(times)
    expect(times.length, stderr).toBeGreaterThan(0.9 * most)
    expect([0, 2, 3], stdout).toContain(code)
  })

  test('by a probe, which asks for as long as it may', async () => {
    const { times, stderr } = await counted((url) => ['probe', url, '--time', '5s'])
    expect(stderr).toMatch(/^The time is up\.$/m)
    keepsTo(times)
  })

  test('by a run, whose iterations are many requests, and by a check', async () => {
    const place = document()
    writeFileSync(
      join(place, 'journey.ts'),
      `import { hold, load, open } from 'plimsoll'
export default load({
  title: 'Ten at a time',
  needs: ['service'],
  load: { ...open(hold({ rate: 20, seconds: 3 })), timeoutMs: 1_000 },
  objectives: { errorRatio: 0 },
  request: ({ service }) => async ({ send }) => {
    for (let n = 0; n < 10; n++) await send(service.get('/'))
  }
})
`
    )
    writeFileSync(
      join(place, 'endless.ts'),
      `import { check } from 'plimsoll'
export default check({
  title: 'It answers again and again',
  clauses: ['a'],
  needs: ['service'],
  async run({ service, verify }) {
    for (let n = 0; n < 300; n++) await Promise.all([service.get('/'), service.get('/')])
    verify('a', true, await service.get('/'))
  }
})
`
    )
    const { times, stdout } = await counted((url) => {
      return ['run', '--target', url, '--scenarios', place, '--workers', '2', '--json']
    })
    keepsTo(times)
    const { verdicts } = JSON.parse(stdout)
    expect(verdicts.filter((one: any) => one.scenario === 'endless')).not.toMatchObject([
      { outcome: 'pass' }
    ])
  })

  test.each([
    ['capacity', (url: string) => ['capacity', url, '--time', '5s']],
    ['soak', (url: string) => ['soak', url, '-r', '20', '-c', '2', '-d', '5s']],
    ['compare', (url: string) => ['compare', '--a', url, '--b', url, '-r', '20', '--time', '20s']]
  ])('by %s', async (_, args) => {
    // By URL a comparison takes twenty seconds at least.
    const own = { ...caps, seconds: args('').includes('20s') ? 20 : caps.seconds }
    const { times, stderr } = await counted(args, own)
    expect(times.length, stderr).toBeGreaterThan(0)
    keepsTo(times, own)
  })
}, 120_000)

test('a redirect is not followed, nor a proxy asked', async () => {
  const elsewhere = await listenAt('127.0.0.4')
  const proxy = await listenAt('127.0.0.5')
  const location = `http://127.0.0.4:${elsewhere.port}/`
  const there = await listenAt('127.0.0.2', { status: 302, headers: { location } })
  const url = `http://127.0.0.5:${proxy.port}`
  const env = {
    ...{ HTTP_PROXY: url, http_proxy: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: '' },
    ...{ no_proxy: '', NODE_USE_ENV_PROXY: '1' }
  }
  const sent = commands.map(async ([, args]) => {
    const { stderr } = await start(args(`http://127.0.0.2:${there.port}/`), { env }).ended
    return stderr
  })
  const told = await Promise.all(sent)
  expect([elsewhere.connections(), proxy.connections()], told.join('\n')).toEqual([0, 0])
  expect(there.connections()).toBeGreaterThan(commands.length)
}, 120_000)

test('leave of a target that is not there is no leave of another', async () => {
  const file = authorising('192.0.2.1', { requestsPerSecond: 1, seconds: 1 })
  const { code, stderr } = await refused('load', 'http://192.0.2.2/', '--authorisation', file)
  expect(stderr).toMatch(/nobody has authorised tests of 192\.0\.2\.2:80: only loopback/)
  expect(code).toBe(77)
})
