import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import documented from '../../scenarios/clauses.json' with { type: 'json' }
import { plimsoll, start } from './plimsoll.ts'
import { refused } from './refused.ts'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')

const clauses = JSON.stringify([
  { id: 'name-length', kind: 'limit', documented: '20', unit: 'characters' }
])

/** A document's folder with one scenario in it. */
function folderWith(scenario: string, inventory = clauses): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-folder-'))
  writeFileSync(join(folder, 'clauses.json'), inventory)
  writeFileSync(join(folder, 'one.ts'), scenario)
  return folder
}

const checking = (clause: string, run: string) =>
  `import { check } from 'plimsoll'
export default check({ title: 'It works', clauses: ['${clause}'],
  async run() { ${run} } })`

const far = 'http://192.0.2.1'
const both = ['--a', 'http://127.0.0.1:1', '--b', 'http://127.0.0.1:1']

test.each([
  ['no command', [], 64, /Name a command/],
  ['an unknown command', ['runn'], 64, /Unknown command: runn; nearest: run\n/],
  ['swapped letters', ['laod', far], 64, /Unknown command: laod; nearest: load\n/],
  ['a flag given twice', ['load', far, '-r', '5', '-r', '6'], 64, /--rate is given 2 times/],
  [
    'a collector with a password',
    ['load', 'http://127.0.0.1:1', '--otlp', 'http://u:p@127.0.0.1:1'],
    64,
    /OTEL_EXPORTER_OTLP_HEADERS/
  ],
  ['a command like none', ['xyzzyx'], 64, /Unknown command: xyzzyx\n/],
  ['an unknown flag', ['run', '--wrokers', '2'], 64, /: --wrokers; nearest: --workers\n/],
  ['a flag like none', ['run', '--zzzzzzz'], 64, /Unknown argument: --zzzzzzz\n/],
  ['no workers', ['run', '--workers', '0'], 64, /--workers must be a whole number from 1/],
  ['a bad seed', ['run', '--seed', 'x'], 64, /--seed must be a whole number/],
  ['an unknown tier', ['run', '--tier', 'fast'], 64, /tier/],
  ['an unknown format', ['run', '--reporter', 'pdf'], 64, /pdf is not known; there are .*junit/],
  ['a scenario nobody has', ['run', 'edge/url-lenght'], 64, /nearest: edge\/url-length/],
  [
    'a scenario like none',
    ['run', 'zzzzqqqq'],
    64,
    /no scenario "zzzzqqqq"; there are .*, …; `plimsoll list`/
  ],
  [
    'a folder nobody has',
    ['run', '--scenarios', 'nowhere'],
    64,
    /nowhere: there is no folder of that name/
  ],
  ['a target nobody has', ['run', '--target', 'nowhere'], 64, /neither a URL, nor a file/],
  ['a target beyond loopback', ['run', '--target', 'http://192.0.2.1'], 77, /192\.0\.2\.1/],
  ['a run nobody made', ['report', 'nowhere'], 64, /there is no run at/],
  ['a mutant nobody made', ['mutants', 'url-lenght-unlimited'], 4, /nearest: url-length/],
  ['a comparison with nobody', ['compare', '--a', 'http://127.0.0.1:1'], 64, /required.*: --b\n/],
  ['a URL that is none', ['compare', '--a', 'x', '--b', 'http://127.0.0.1:1'], 64, /"x" is not a/],
  ['a budget of nothing', ['compare', ...both, '--budget', '0'], 64, /--budget must be more/],
  ['a metric nobody has', ['compare', ...both, '--metric', 'p42'], 64, /p42/],
  ['a calibration of nothing', ['calibrate', '--runs', '0'], 64, /--runs must be a whole/],
  ['a capacity of nothing', ['capacity'], 64, /missing: plimsoll capacity <url>/],
  ['a bound of nothing', ['capacity', far, '--p99', '0'], 64, /--p99 must be more than 0/],
  ['a capacity beyond loopback', ['capacity', far], 77, /192\.0\.2\.1/],
  ['a comparison beyond loopback', ['compare', '--a', far, '--b', far], 77, /192\.0\.2\.1/],
  ['a history of builds without names', ['compare', ...both, '--history', 'h'], 64, /--a-name/],
  ['a folder for a history', ['history', '.'], 64, /is a folder: name the file/],
  ['a history nobody kept', ['history', 'nowhere.ndjson'], 64, /compare --history nowhere\.ndjson/],
  ['a node behind no network', ['platform', '--gateway', far], 64, /given as network=URL/],
  ['an unknown way to break it', ['platform', '--break', 'nonsense', '--port', '0'], 64, /nonsense/]
])('%s', async (_, args, code, message) => {
  const ended = await refused(...args)
  expect(ended.stderr).toMatch(message)
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  expect(ended.code).toBe(code)
})

test.each([
  ['does not compile', 'const = 3', 64, /one\.ts:1:7: does not load/],
  ['exports nothing', 'export const x = 1', 64, /one\.ts: exports no scenario/],
  ['claims an unknown clause', checking('nowhere', ''), 64, /claims "nowhere"/],
  ['throws', checking('name-length', 'throw new Error("oh no")'), 3, /oh no/]
])('a scenario that %s', async (_, scenario, code, message) => {
  const folder = folderWith(scenario)
  const ended = await plimsoll('run', '--scenarios', folder, '--target', 'platform')
  expect(`${ended.stderr}${ended.stdout}`).toMatch(message)
  expect(ended.code).toBe(code)
})

test('a number that differs from the inventory is refused before anything is sent', async () => {
  const folder = folderWith(`import { limit, accepted } from 'plimsoll'
export default limit({ title: 'a', max: 21, clause: 'name-length', unit: 'characters',
  async probe() { throw new Error('sent') } })`)
  const ended = await refused('run', '--scenarios', folder, '--target', 'http://127.0.0.1:9')
  expect(ended.stderr).toMatch(/one says 21 for "name-length".*20 characters/)
  expect(ended.code).toBe(64)
})

test('Ctrl-C once saves what was measured and exits 130', async () => {
  const { child, ended, out, stdout } = start(['run', 'addressing', 'lists', 'edge'])
  while (!/pass/.test(stdout())) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  const lines = readFileSync(join(out, 'latest', 'results.ndjson'), 'utf8')
    .trim()
    .split('\n')
  const footer = JSON.parse(lines.at(-1)!)
  expect(footer).toMatchObject({ t: 'footer', complete: false, exit: 130 })
  expect(lines.some((line) => line.includes('"t":"verdict"'))).toBe(true)
}, 60_000)

test('Ctrl-C ends what does not end by itself, and says so', async () => {
  const clause = 'name-length'
  const endless = `process.stderr.write('begun'); await new Promise(() => setInterval(() => {}, 9))`
  const folder = folderWith(checking(clause, endless))
  const { child, ended } = start(['run', '--scenarios', folder, '--json'])
  await once(child.stderr, 'data')
  child.kill('SIGTERM')
  const { code, stdout } = await ended
  expect(JSON.parse(stdout).verdicts).toMatchObject([
    { clause, outcome: 'inconclusive', because: 'stopped on the way' }
  ])
  expect(code).toBe(130)
}, 60_000)

test('list sends nothing and names every claimed clause', async () => {
  const { code, stdout } = await plimsoll('list', '--json')
  const plan = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(plan.coverage.clauses).toBe(documented.length)
  expect(plan.unclaimed.length).toBe(documented.length - plan.coverage.claimed)
})

const commands = [
  'run',
  'list',
  'platform',
  'report',
  'mutants',
  'compare',
  'history',
  'capacity',
  'soak',
  'calibrate'
]

test('each command explains itself', async () => {
  for (const command of commands) {
    const { code, stdout } = await plimsoll(command, '--help')
    expect(stdout).toMatch(/Examples:/)
    expect(code).toBe(0)
  }
}, 60_000)

test('a saved run can be rendered and judged again', async () => {
  const { out } = await plimsoll('run', 'edge/url-length', '--reporter', 'json')
  const saved = join(out, 'latest', 'results.ndjson')
  const text = readFileSync(saved, 'utf8').replace('"outcome":"pass"', '"outcome":"fail"')
  const folder = join(out, 'tampered')
  mkdirSync(folder)
  writeFileSync(join(folder, 'results.ndjson'), text)
  const { code, stdout } = await plimsoll('report', folder, '--json')
  expect(JSON.parse(stdout).verdicts.map((one: { outcome: string }) => one.outcome)).toEqual([
    'pass'
  ])
  expect(code).toBe(0)
})

test('too little coverage exits 4, also when the run is judged again', async () => {
  const args = ['run', 'settings', '--require-coverage', '90', '--reporter', 'json']
  const { code, out, stdout } = await plimsoll(...args)
  expect(code).toBe(4)
  expect(stdout).toMatch(
    /· \d+ clauses hold, but too little was checked: \d+ % covered, 90 % demanded/
  )
  expect((await plimsoll('report', join(out, 'latest'))).code).toBe(4)
}, 60_000)

test('whoever reads no further does not break what is being done', async () => {
  const { child, ended } = start(['list', '--json'])
  child.stdout.destroy()
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

test('whoever reads late gets all of it', async () => {
  // A pipe of the shell holds 64 KiB; the rest waits longer than a command that has ended would.
  const command = `"$0" "$1" list --json | (sleep 3; cat)`
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, launcher])
  expect(stdout.length).toBeGreaterThan(65_536)
  expect(JSON.parse(stdout)).toHaveProperty('scenarios')
})

test('a gateway alone has what its folder of scenarios needs', async () => {
  const { stdout } = await plimsoll('list', 'gateway')
  const needs = [...stdout.matchAll(/\] {2}needs (.*)/g)].map(([, names]) => names)
  expect(new Set(needs)).toEqual(new Set(['gateway']))
})
