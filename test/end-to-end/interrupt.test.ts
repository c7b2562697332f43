import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { type Fickle, startFickle } from './fickle.ts'
import { start } from './plimsoll.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** However slow a machine is: what is waited for comes by itself, and its end is seen as well. */
const patience = { timeout: 240_000, interval: 50 }

/** Sends a signal to a command once something has come to be, and waits for its end. */
async function interrupted(
  args: readonly string[],
  signal: NodeJS.Signals,
  isTime: (stdout: string, stderr: string) => boolean
) {
  const { child, ended, stdout, stderr } = start(args)
  const isOver = ended.then(() => {
    throw new Error(`it ended before it was interrupted: ${stdout()}`)
  })
  const comes = vi.waitFor(() => expect(isTime(stdout(), stderr())).toBe(true), patience)
  await Promise.race([comes, isOver])
  child.kill(signal)
  return ended
}

const asked = (target: Fickle, count: number) => () => target.asked() > count

test.each(signals)(
  'capacity tells on %s what was held until then',
  async (signal) => {
    const target = await startFickle()
    const out = mkdtempSync(join(tmpdir(), 'plimsoll-interrupt-'))
    const args = ['capacity', target.url, '--time', '5m', '--out', out]
    const { code, stdout } = await interrupted(args, signal, (_, told) => /\bheld\b/.test(told))
    expect(code).toBe(130)
    expect(stdout).toMatch(/interrupted: on request\n[\s\S]*held at [\d,.]+\/s/)
    const saved = JSON.parse(readFileSync(join(out, 'capacity.json'), 'utf8'))
    expect(saved).toMatchObject({ ended: 'interrupted', confirmed: null })
    expect(saved.lower).toBeGreaterThan(0)
    expect(saved.trials.length).toBeGreaterThan(0)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('The run is incomplete')
  },
  300_000
)

test('capacity --json has its document all the same', async () => {
  const target = await startFickle()
  const args = ['capacity', target.url, '--time', '5m', '--json']
  const { code, stdout } = await interrupted(args, 'SIGINT', asked(target, 300))
  expect(code).toBe(130)
  expect(JSON.parse(stdout)).toMatchObject({ ended: 'interrupted' })
}, 300_000)

/** Compares two builds that are served there, and interrupts it once it has a plan. */
async function interruptCompared(port: number, signal: NodeJS.Signals) {
  const serve = (port: number) =>
    `"${process.execPath}" -e "require('http').createServer((q, s) => ` +
    `setTimeout(() => s.end('ok'), 20)).listen(${port}, '127.0.0.1')"`
  const urls = [port, port + 1].map((port) => `http://127.0.0.1:${port}/`) as [string, string]
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-interrupt-'))
  const args = [
    ...['compare', '--a', urls[0], '--a-cmd', serve(port), '--b', urls[1]],
    ...['--b-cmd', serve(port + 1), '--time', '5m', '--out', out, '-c', '4'],
    // So wide that no machine is too busy to go on.
    ...['--budget', '1000']
  ]
  const isTime = (_: string, told: string) => /At most/.test(told)
  return { ...(await interrupted(args, signal, isTime)), out, urls }
}

// Each of them waits for its servers nearly all of the time, which is done at once.
test('compare tells on each signal what it measured, and ends what it began', async () => {
  const port = await freePorts(2 * signals.length)
  const all = signals.map((signal, index) => interruptCompared(port + 2 * index, signal))
  for (const { code, stdout, out, urls } of await Promise.all(all)) {
    expect(code).toBe(130)
    expect(stdout).toMatch(/interrupted: on request\n[\s\S]*B against A[\s\S]*p50/)
    const saved = JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'))
    expect(saved).toMatchObject({ ended: 'interrupted', verdict: 'inconclusive' })
    const kept = readFileSync(join(out, 'pairs.ndjson'), 'utf8').trim().split('\n')
    expect(kept).toHaveLength(saved.blocks)
    for (const url of urls) await expect(fetch(url)).rejects.toThrow()
  }
}, 300_000)

test('a command that is not up yet ends with who waits for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-interrupt-'))
  const port = await freePorts(2)
  // Its number is in a file: there is nothing else to know it by.
  const sleeper = `sh -c 'echo $$ > ${folder}/pid; exec sleep 1000'`
  const args = [
    ...['compare', '--a', `http://127.0.0.1:${port}`, '--b', `http://127.0.0.1:${port + 1}`],
    ...['--a-cmd', sleeper, '--time', '5m']
  ]
  const { code } = await interrupted(args, 'SIGTERM', () => existsSync(join(folder, 'pid')))
  expect(code).toBe(130)
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), patience)
}, 300_000)

test('a soak, a load, a probe and a run tell on a hang-up what they have', async () => {
  const target = await startFickle()
  const soak = ['soak', target.url, '-r', '50', '-d', '60s']
  const soaked = await interrupted(soak, 'SIGHUP', asked(target, 150))
  expect([soaked.code, soaked.stdout]).toEqual([130, expect.stringMatching(/lasted/)])

  const before = target.asked()
  const load = ['load', target.url, '-r', '50', '-d', '60s', '--json']
  const loaded = await interrupted(load, 'SIGHUP', asked(target, before + 100))
  expect(loaded.code).toBe(130)
  expect(JSON.parse(loaded.stdout).requests).toBeGreaterThan(50)

  const probe = ['probe', target.url, '--limits', 'header-count,rate']
  const probed = await interrupted(probe, 'SIGHUP', (told) => /header-count/.test(told))
  expect([probed.code, probed.stdout]).toEqual([130, expect.stringMatching(/rate +unclear/)])

  const run = start(['run', 'edge', '--json'])
  await vi.waitFor(() => expect(readdirSync(run.out)).toContain('latest'), patience)
  run.child.kill('SIGHUP')
  const ran = await run.ended
  expect(ran.code).toBe(130)
  expect(JSON.parse(ran.stdout)).toHaveProperty('verdicts')
}, 300_000)

test('what hangs is waited for no longer once somebody interrupts', async () => {
  const target = await startFickle()
  target.fail('hangs')
  const began = performance.now()
  const probed = await interrupted(['probe', target.url], 'SIGTERM', asked(target, 0))
  expect(probed.code).toBe(130)
  const before = target.asked()
  const capacity = ['capacity', target.url, '--time', '5m']
  const searched = await interrupted(capacity, 'SIGTERM', asked(target, before))
  expect([searched.code, searched.stdout]).toEqual([130, expect.stringMatching(/interrupted/)])
  // One request alone would be waited for ten seconds.
  expect(performance.now() - began).toBeLessThan(10_000)
}, 300_000)

test('mutants and calibrate tell on a hang-up how far they came', async () => {
  const hunt = ['mutants', 'u', '--workers', '1']
  const hunted = await interrupted(hunt, 'SIGHUP', (told) => /killed|SURVIVED/.test(told))
  expect([hunted.code, hunted.stdout]).toEqual([
    130,
    expect.stringMatching(/of \d+ mutants killed/)
  ])
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-interrupt-'))
  const wide = ['--budget', '400', '--rate', '300', '--runs', '5', '--time', '2m', '--out', out]
  const isTime = (_: string, told: string) => /1 of 5/.test(told)
  const calibrated = await interrupted(['calibrate', ...wide], 'SIGHUP', isTime)
  expect([calibrated.code, calibrated.stdout]).toEqual([130, expect.stringMatching(/comparisons/)])
}, 300_000)

test('a second signal ends at once, with all that was started', async () => {
  const port = await freePorts(2)
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-interrupt-'))
  // It does not end when it is asked to.
  const stubborn = `sh -c 'trap "" TERM; echo $$ > ${folder}/pid; while :; do sleep 1; done'`
  const sides = ['--a', `http://127.0.0.1:${port}`, '--b', `http://127.0.0.1:${port + 1}`]
  const { child, ended } = start(['compare', ...sides, '--a-cmd', stubborn, '--time', '5m'])
  await vi.waitFor(() => expect(existsSync(join(folder, 'pid'))).toBe(true), patience)
  child.kill('SIGHUP')
  await new Promise((resolve) => setTimeout(resolve, 400))
  child.kill('SIGHUP')
  expect((await ended).code).toBe(130)
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), patience)
}, 300_000)

/** Says that it is there, and never ends. */
const stand = (name: string) =>
  `writeFileSync(new URL('./${name}.stands', import.meta.url), ''); for (;;);`

const standing: Record<string, string> = {
  check: `import { check } from 'plimsoll'
import { writeFileSync } from 'node:fs'
export default check({ title: 'x', clauses: ['x'], needs: ['service'],
  async run({ service }) { await service.get('/'); ${stand('check')} } })`,
  probe: `import { limit } from 'plimsoll'
import { writeFileSync } from 'node:fs'
export default limit({ title: 'x', max: 4, clause: 'n', unit: 'bytes', needs: ['service'],
  async probe(_, { service }) { await service.get('/'); ${stand('probe')} } })`,
  load: `import { closed, load } from 'plimsoll'
import { writeFileSync } from 'node:fs'
export default load({ title: 'x', needs: ['service'], objectives: { errorRatio: 0 },
  load: closed({ users: 2, seconds: 1 }),
  request: ({ service }) => async ({ send }) => {
    await send(service.get('/')); ${stand('load')} } })`
}

const good = `import { check } from 'plimsoll'
export default check({ title: 'x', clauses: ['good'], needs: ['service'],
  async run({ service, verify }) { verify('good', true, await service.get('/')) } })`

/** Runs an innocent check and some of those that never end, and interrupts them then. */
async function interruptStanding(names: string[], times: number) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-standing-'))
  const clauses = [
    ...['good', 'x'].map((id) => ({ id, kind: 'rule', documented: 'so' })),
    { id: 'n', kind: 'limit', documented: '4', unit: 'bytes' }
  ]
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
  writeFileSync(join(folder, 'a-good.ts'), good)
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), standing[name]!)
  const target = await startFickle()
  const args = ['run', '--scenarios', folder, '--target', target.url, '--workers', '3', '--json']
  const { child, ended, out } = start(args)
  const results = join(out, 'latest', 'results.ndjson')
  await vi.waitFor(() => {
    expect(readFileSync(results, 'utf8')).toContain('"t":"verdict"')
    for (const name of names) expect(existsSync(join(folder, `${name}.stands`))).toBe(true)
  }, patience)
  for (let time = 0; time < times; time++) {
    child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  const { code, stdout } = await ended
  return { code, stdout, saved: readFileSync(results, 'utf8') }
}

test('scenarios that stand still hold up no end', async () => {
  const [asked, loaded, hurried] = await Promise.all([
    interruptStanding(['check', 'probe'], 1),
    interruptStanding(['load'], 1),
    interruptStanding(['check', 'probe'], 2)
  ])
  for (const { code, stdout } of [asked, loaded]) {
    expect(code).toBe(130)
    const verdicts = JSON.parse(stdout).verdicts.map((one: any) => [one.scenario, one.outcome])
    expect(verdicts[0]).toEqual(['a-good', 'pass'])
    expect(verdicts.length).toBeGreaterThan(1)
    for (const [, outcome] of verdicts.slice(1)) expect(outcome).not.toMatch(/pass|fail/)
  }
  expect(hurried.code).toBe(130)
  expect(hurried.saved).toMatch(/"scenario":"a-good".*"outcome":"pass"/)
}, 300_000)
