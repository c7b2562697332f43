import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, plimsoll } from './plimsoll.ts'

/** What the code of a check does wrong, by the clause it claims, and what is to be told of it. */
const shapes: Record<string, { run: string; told: RegExp; line?: number }> = {
  null: { run: 'throw null', told: /threw null/ },
  undefined: { run: 'throw undefined', told: /threw undefined/ },
  number: { run: 'throw 42', told: /threw 42/ },
  text: { run: 'throw "so it goes"', told: /threw 'so it goes'/ },
  bigint: { run: 'throw 1n', told: /threw 1n/ },
  symbol: { run: 'throw Symbol("mine")', told: /threw Symbol\(mine\)/ },
  function: { run: 'throw () => { throw 1 }', told: /threw \[Function/ },
  frozen: { run: 'throw Object.freeze({ at: 7 })', told: /threw \{ at: 7 \}/ },
  'frozen-error': { run: 'throw Object.freeze(new Error("cold"))', told: /Error: cold/, line: 8 },
  'bare-object': { run: 'throw Object.create(null)', told: /threw .*Object/ },
  proxy: { run: 'throw trapped()', told: /threw a proxy/ },
  'child-of-proxy': { run: 'throw Object.create(trapped())', told: /threw / },
  'proxied-function': { run: 'throw new Proxy(() => {}, traps)', told: /threw a proxy/ },
  error: { run: 'throw new TypeError("plain")', told: /TypeError: plain/, line: 8 },
  'hostile-message': {
    run: 'throw Object.defineProperty(new Error(""), "message", { get() { throw null } })',
    told: /its message cannot be read/
  },
  'hostile-stack': {
    run: 'throw Object.defineProperty(new Error("x"), "stack", { get() { throw null } })',
    told: /Error: x/
  },
  'odd-message': { run: 'throw Object.assign(new Error("x"), { message: 7n })', told: /Error/ },
  'circular-cause': {
    run: 'const e = new Error("round"); e.cause = e; throw e',
    told: /Error: round/,
    line: 8
  },
  'long-message': { run: 'throw new Error("x".repeat(5e7))', told: /Error: x{100}/, line: 8 },
  'escape-codes': { run: 'throw new Error("\\u001b[2J\\u0000</td>")', told: /Error/, line: 8 },
  rejected: { run: 'await Promise.reject(null)', told: /threw null/ },
  'rejected-alone': { run: 'Promise.reject(null)', told: /threw null/ },
  'rejected-error': { run: 'Promise.reject(new Error("lost"))', told: /Error: lost/, line: 8 },
  timer: {
    run: 'setTimeout(() => { throw new Error("late") }, 5); await pause(50)',
    told: /Error: late/,
    line: 8
  },
  'timer-null': { run: 'setTimeout(() => { throw null }, 5); await pause(50)', told: /threw null/ },
  'timer-for-good': {
    run: 'await new Promise(() => setTimeout(() => { throw new Error("stuck") }, 5))',
    told: /Error: stuck/,
    line: 8
  },
  exit: { run: 'process.exit(0)', told: /calls process\.exit/, line: 8 },
  'exit-later': { run: 'setTimeout(() => process.exit(0), 5); await pause(50)', told: /exit/ },
  'real-exit': { run: 'process.reallyExit(0)', told: /process\.reallyExit/, line: 8 },
  kill: { run: 'process.kill(process.pid, "SIGKILL")', told: /process\.kill/, line: 8 },
  abort: { run: 'process.abort()', told: /process\.abort/, line: 8 },
  'stack-overflow': { run: 'const f = () => f() + 1; f()', told: /RangeError: Maximum call/ },
  'no-evidence': { run: 'verify("no-evidence", true)', told: /at least one/, line: 8 },
  'no-reply': { run: 'verify("no-reply", true, null)', told: /rests on replies/, line: 8 },
  'observed-bigint': { run: 'observe("observed-bigint", 5n, reply)', told: /a text/, line: 8 },
  'observed-function': { run: 'observe("observed-function", () => {}, reply)', told: /a text/ },
  'function-in-evidence': {
    run: 'verify("function-in-evidence", true, sent({ f() {} }))',
    told: /exchanges\[0\]\.request\.f is a function/
  },
  'bigint-in-evidence': {
    run: 'verify("bigint-in-evidence", true, sent({ n: 1n }))',
    told: /exchanges\[0\]\.request\.n is a bigint/
  },
  'infinite-evidence': {
    run: 'verify("infinite-evidence", false, { ...reply, sent: Infinity })',
    told: /rests on replies: .*0\.sent: /,
    line: 8
  },
  'foreign-kind': {
    run: 'verify("foreign-kind", false, { ...reply, kind: "redirected" })',
    told: /rests on replies: .*0\.kind: /,
    line: 8
  },
  'turning-getter': {
    run:
      'let n = 0; const turning = { ...reply, get kind() { return n++ ? {} : 1 } }; ' +
      'verify("turning-getter", false, turning)',
    told: /rests on replies/,
    line: 8
  },
  'revoked-reply': {
    run:
      'const { proxy, revoke } = Proxy.revocable(reply, {}); revoke(); ' +
      'verify("revoked-reply", true, proxy)',
    told: /Cannot perform/,
    line: 8
  },
  'not-claimed': { run: 'verify("another", true, reply)', told: /without claiming it/, line: 8 },
  'forged-message': {
    run: 'parentPort.postMessage(null); parentPort.postMessage({ scenario: 1 }); throw 8',
    told: /threw 8/
  },
  printing: { run: 'console.log("noise"); throw 9', told: /threw 9/ },
  part: { run: 'broken()', told: /_part\.ts:2:\d+: Error: in a part/ }
}

const checkOf = (name: string, run: string) => `import { check } from 'plimsoll'
import { parentPort } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'
import { broken, trapped, traps, withMore } from './_part.ts'
export default check({ title: 'It is so', clauses: ['${name}'], needs: ['service'],
  async run({ service, verify, observe }) {
    const reply = await service.get('/'), sent = (more) => withMore(reply, more)
    ${run}
    if (reply.status === 200) verify('${name}', true, reply)
  }
})
void [parentPort, pause, broken, trapped, traps]
`

const part = `export function broken() {
  throw new Error('in a part')
}
const names = ['get', 'has', 'set', 'apply', 'getPrototypeOf', 'ownKeys', 'defineProperty']
const trap = () => { throw new Error('trap') }
export const traps = Object.fromEntries(names.map((name) => [name, trap]))
export const trapped = () => new Proxy({}, traps)
export const withMore = (reply, more) => ({ ...reply, request: { ...reply.request, ...more } })
`

/** A document's folder with these files in it, and clauses of these names. */
function folderOf(clauses: string[], files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-hostile-'))
  const inventory = clauses.map((id) => ({ id, kind: 'limit', documented: '4', unit: 'bytes' }))
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(inventory))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

let server: Server
let url: string
beforeAll(async () => {
  server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const innocents = ['a-first', 'z-last']

/** Runs a folder of hostile scenarios between two innocents, which have to pass. */
async function runHostile(names: string[], files: Record<string, string>, ...flags: string[]) {
  const own = innocents.map((name) => [`${name}.ts`, checkOf(name, '')])
  const all = { '_part.ts': part, ...Object.fromEntries(own), ...files }
  const folder = folderOf([...names, ...innocents], all)
  const ended = await plimsoll('run', '--scenarios', folder, '--target', url, '--json', ...flags)
  const report = JSON.parse(ended.stdout)
  const verdictsOf = (clause: string) => report.verdicts.filter((one: any) => one.clause === clause)
  for (const name of innocents) {
    expect(verdictsOf(name).map((one: any) => one.outcome)).toEqual(['pass'])
  }
  expect(report).toMatchObject({ complete: true, exit: 3 })
  expect(ended.code).toBe(3)
  return { ...ended, folder, verdictsOf, report }
}

describe('what a scenario throws is its own error, and the run goes on', () => {
  let found: Awaited<ReturnType<typeof runHostile>>
  let late: typeof found
  beforeAll(async () => {
    const files = Object.entries(shapes).map(([name, { run }]) => [
      `${name}.ts`,
      checkOf(name, run)
    ])
    // As a loop without end does, but without keeping a core busy for half a minute.
    const endless = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
    const all = runHostile(Object.keys(shapes), Object.fromEntries(files), '--workers', '2')
    ;[found, late] = await Promise.all([all, runHostile([], { 'm-endless.ts': endless })])
  }, 180_000)

  test.each(Object.keys(shapes))('%s', (name) => {
    const { told, line } = shapes[name]!
    const errors = found.verdictsOf(name).filter((one: any) => one.outcome === 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0].because).toMatch(told)
    expect(errors[0].because).toContain(name === 'part' ? '_part.ts' : `${name}.ts`)
    const { fault } = errors[0].evidence
    if (line === undefined) return
    expect(fault).toMatchObject({ file: join(found.folder, `${name}.ts`), line })
    expect(fault.frame.split('\n')).toHaveLength(4)
    const [, row, caret] = fault.frame.split('\n')
    expect(row).toMatch(/^> +8 \| {5}\S/)
    expect(row.at(caret.indexOf('^'))).toMatch(/\S/)
    expect(row.indexOf('|')).toBeLessThan(caret.indexOf('^'))
  })

  test('a module that never lets go of its thread is its own error; the rest is run', () => {
    const [verdict, ...others] = late.verdictsOf('m-endless')
    expect([verdict.outcome, others]).toEqual(['error', []])
    expect(verdict.because).toBe(`${join(late.folder, 'm-endless.ts')}: did not load within 30 s`)
  })

  test('every report is written, and shows where', () => {
    const text = (file: string) => {
      const folder = join(found.out, 'latest')
      expect(existsSync(join(folder, file))).toBe(true)
      return readFileSync(join(folder, file), 'utf8')
    }
    for (const file of [
      'report.html',
      'junit.xml',
      'summary.md',
      'report.json',
      'results.ndjson'
    ]) {
      expect(text(file)).toContain('frozen-error.ts')
    }
    expect(text('report.html')).toContain('&gt; 8 |')
    expect(text('junit.xml')).toMatch(/8 \| {5}throw Object\.freeze/)
  })

  test('the terminal shows the code', async () => {
    const files = { 'error.ts': checkOf('error', shapes.error!.run) }
    const folder = folderOf(['error'], { '_part.ts': part, ...files })
    const { stdout, code } = await plimsoll('run', '--scenarios', folder, '--target', url)
    expect(stdout).toMatch(/error\.ts:8:11: TypeError: plain\n/)
    expect(stdout).toMatch(/> 8 \| {5}throw new TypeError\("plain"\)\n +\| {11}\^/)
    expect(code).toBe(3)
  }, 60_000)
})

/** Runs one hostile scenario, then a slow innocent, on a single thread. */
async function runOne(name: string, run: string) {
  const slow = checkOf('slow', 'await pause(1_000)').replace(
    'needs:',
    "alone: ['everything'], needs:"
  )
  const files = { 'slow.ts': slow, [`${name}.ts`]: checkOf(name, run) }
  return runHostile(['slow', name], files, '--workers', '1')
}

const checked = (request: string) => `import { closed, load } from 'plimsoll'
export default load({ title: 'It holds', needs: ['service'],
  load: closed({ users: 2, iterations: 4 }), objectives: { errorRatio: 0 },
  request: ${request}
})
`

/** Other things scenarios and adapters are made of, and what is to be told of them. */
const others: Record<string, { text: string; told: RegExp }> = {
  'load-throws': { text: checked('() => { throw null }'), told: /load-throws\.ts: threw null/ },
  'load-of-nothing': { text: checked('() => null'), told: /has to return requests/ },
  'load-of-none': { text: checked('() => []'), told: /at least one request/ },
  'load-of-nonsense': { text: checked('() => ({ url: 7n })'), told: /requests with a url/ },
  'iteration-throws': { text: checked('() => () => { throw null }'), told: /threw .*null/ },
  'iteration-rejects': {
    text: checked('() => async () => { throw Symbol() }'),
    told: /Symbol\(\)/
  },
  'iteration-sends-nothing': {
    text: checked('() => async ({ send }) => { await send(null) }'),
    told: /threw 4 times: .*null/
  },
  'iteration-leaves': {
    text: checked(
      '({ service }) => async ({ send }) => {\n' +
        "    Promise.reject(null); await send(service.get('/')) }"
    ),
    told: /iteration-leaves\.ts: threw null/
  },
  'answer-of-nothing': {
    text: `import { limit } from 'plimsoll'
export default limit({ title: 'So many', max: 4, clause: 'answer-of-nothing', unit: 'bytes',
  needs: ['service'], async probe() { return null as never } })`,
    told: /probe has to return accepted/
  },
  'answer-of-nonsense': {
    text: `import { accepted, limit } from 'plimsoll'
export default limit({ title: 'So many', max: 4, clause: 'answer-of-nonsense', unit: 'bytes',
  needs: ['service'], async probe(n, { service }) {
    return { ...accepted(await service.get('/')), because: 1n as never } } })`,
    told: /probe has to return accepted/
  },
  'capacity-throws': {
    text: `import { capacity } from 'plimsoll'
export default capacity({ title: 'It holds', needs: ['service'], perSecond: 5, p99Ms: 50,
  request() { throw undefined } })`,
    told: /capacity-throws\.ts: threw undefined/
  },
  'figures-of-nonsense': {
    text: `import { closed, soak } from 'plimsoll'
export default soak({ title: 'It stays', needs: ['service'], budgets: { heap: 1 },
  load: closed({ users: 1, seconds: 1 }), figures: async () => ({ heap: 7n as never }),
  request: ({ service }) => service.get('/') })`,
    told: /figures has to return numbers/
  },
  // Each of them can be told, and all of them together are more than can be read again.
  'figures-of-too-many': {
    text: `import { closed, soak } from 'plimsoll'
const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => ['f' + n, n]))
export default soak({ title: 'It stays', needs: ['service'], budgets: { f1: 1 },
  load: closed({ users: 1, seconds: 1 }), figures: async () => many,
  request: ({ service }) => service.get('/') })`,
    told: /what was found cannot be kept: verdict\.evidence\.stretches\.0\.floors/
  }
}

test('loads, limits and soaks are told as checks are', async () => {
  const names = Object.keys(others)
  const files = Object.fromEntries(names.map((name) => [`${name}.ts`, others[name]!.text]))
  const { verdictsOf } = await runHostile(names, files)
  for (const name of names) {
    expect([name, verdictsOf(name).map((one: any) => one.outcome)]).toEqual([name, ['error']])
    expect(verdictsOf(name)[0].because).toMatch(others[name]!.told)
  }
}, 120_000)

test.each([
  ['throws', 'export function adapter() {\n  throw null\n}', /adapter\.ts|threw null/],
  ['is none', 'export const adapter = 7', /adapter\.ts exports no adapter/],
  ['returns nothing', 'export const adapter = () => null', /`adapter` has to return an object/],
  ['does not load', 'throw new Error("no")', /adapter\.ts:1:\d+: Error: no/],
  ['ends the process', 'process.exit(0)', /adapter\.ts:1:\d+: Error: calls process\.exit/]
])(
  'an adapter that %s is an error of each who needs it',
  async (_, text, told) => {
    const files = { '_part.ts': part, 'one.ts': checkOf('one', ''), 'adapter.ts': text }
    const folder = folderOf(['one'], files)
    const file = join(folder, 'target.json')
    const target = { name: 'x', endpoints: { service: { url } }, adapter: './adapter.ts' }
    writeFileSync(file, JSON.stringify(target))
    const args = ['run', 'one', '--scenarios', folder, '--target', file, '--json']
    const { stdout, code } = await plimsoll(...args)
    const { verdicts } = JSON.parse(stdout)
    expect(verdicts).toMatchObject([{ clause: 'one', outcome: 'error' }])
    expect(verdicts[0].because).toMatch(told)
    expect(code).toBe(3)
  },
  60_000
)

test('a capability that throws null blocks, as any that throws', async () => {
  const one = `import { check } from 'plimsoll'
export default check({ title: 'It is so', clauses: ['one'], needs: ['service', 'zone'],
  async run({ adapter, service, verify }) {
    await adapter.zone()
    verify('one', true, await service.get('/'))
  } })`
  const adapter = 'export const adapter = () => ({ async zone() { throw null } })'
  const folder = folderOf(['one'], { 'one.ts': one, '_adapter.ts': adapter })
  const file = join(folder, 'target.json')
  const target = { name: 'x', endpoints: { service: { url } }, adapter: './_adapter.ts' }
  writeFileSync(file, JSON.stringify(target))
  const { stdout, code } = await plimsoll('run', '--scenarios', folder, '--json')
  const [verdict] = JSON.parse(stdout).verdicts
  expect(verdict.outcome).toBe('blocked')
  expect(verdict.because).toMatch(/the adapter could not do "zone": threw null/)
  expect(code).toBe(2)
}, 60_000)

test('what a scenario left behind is its own, and not of who comes next', async () => {
  const run = 'setTimeout(() => { throw new Error("after") }, 300)'
  const { verdictsOf } = await runOne('left-behind', run)
  expect(verdictsOf('slow').map((one: any) => one.outcome)).toEqual(['pass'])
  expect(verdictsOf('left-behind').map((one: any) => one.outcome)).toEqual(['pass', 'error'])
  const { because, evidence } = verdictsOf('left-behind')[1]
  expect(because).toMatch(/left something behind .*left-behind\.ts:8:\d+: Error: after/)
  expect(evidence.fault.line).toBe(8)
}, 60_000)

test('a thread that falls is replaced', async () => {
  const run = 'process.removeAllListeners(); setTimeout(() => { throw null }, 5); await pause(500)'
  const { verdictsOf } = await runOne('deaf', run)
  expect(verdictsOf('deaf').map((one: any) => one.outcome)).toEqual(['error'])
}, 60_000)

test('a thread without memory left is replaced', async () => {
  const run = 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))'
  const { verdictsOf } = await runOne('greedy', run)
  expect(verdictsOf('greedy')[0]).toMatchObject({ outcome: 'error' })
  expect(verdictsOf('greedy')[0].because).toMatch(/greedy\.ts: .*memory/)
}, 120_000)

/** Modules that are no scenarios, by what each is or does, and what is to be told of it. */
const bad: Record<string, { text: string; told: RegExp }> = {
  'throws-null': { text: 'throw null', told: /throws-null\.ts: does not load: threw null/ },
  throws: {
    text: 'throw new Error("no")',
    told: /throws\.ts:1:7: does not load: Error: no\n> 1 \| throw new/
  },
  'is-in-a-part': {
    text: 'import { broken } from "./_part.ts"\nbroken()',
    told: /is-in-a-part\.ts: .*_part\.ts:2:9: Err/
  },
  rejects: {
    text: 'await Promise.reject(undefined)',
    told: /rejects\.ts: does not load: threw undefined/
  },
  'ends-the-process': {
    text: 'process.exit(0)',
    told: /ends-the-process\.ts:1:9: does not load: .*process\.exit/
  },
  'kills-the-process': {
    text: 'process.kill(process.pid, 9)',
    told: /kills-the-process\.ts:1:9: .*process\.kill/
  },
  'exports-a-proxy': {
    text: 'import { trapped } from "./_part.ts"\nexport default trapped()',
    told: /exports-a-proxy\.ts/
  },
  'misspells-a-field': {
    text: checkOf('good', '').replace('needs:', 'need:'),
    told: new RegExp(
      'misspells-a-field\\.ts:5:16: does not load: TypeError: check: ' +
        '`need` is no field of it; nearest: needs\\n'
    )
  },
  'is-no-scenario-of-its-kind': {
    text: 'export default { kind: "check", title: "x", clauses: ["good"], run: 5 }',
    told: /its-kind\.ts: does not load: TypeError: check: `run` has to be a function, and is 5/
  },
  'calls-with-nothing': {
    text: 'import { limit } from "plimsoll"\nlimit()',
    told: /calls-with-nothing\.ts:2:1: .*takes an obj/
  },
  'exports-null': { text: 'export default null', told: /exports-null\.ts: exports no scenario/ },
  'is-no-typescript': {
    text: 'enum A { x }',
    told: /is-no-typescript\.ts:1:1: does not load: SyntaxError: .*enum/
  },
  // The last, as they are read one after the other: its thread falls with it.
  'will-never-end': { text: 'await new Promise(() => {})', told: /will-never-end\.ts: .*fell/ }
}

describe.each(['list', 'run', 'mutants'])('modules that are no scenarios end %s', (command) => {
  let ended: Ended
  beforeAll(async () => {
    const files = Object.entries(bad).map(([name, { text }]) => [`${name}.ts`, text])
    const own = { '_part.ts': part, 'good.ts': checkOf('good', '') }
    const folder = folderOf(['good'], { ...own, ...Object.fromEntries(files) })
    ended = await plimsoll(command, '--scenarios', folder)
  })

  test('before anything is done', () => {
    expect([ended.code, ended.stdout]).toEqual([64, ''])
    expect(ended.stderr).toMatch(/^plimsoll: /m)
    expect(ended.stderr).not.toMatch(/good\.ts|\n\s+at /)
  })

  test.each(Object.keys(bad))('%s', (name) => expect(ended.stderr).toMatch(bad[name]!.told))
})
