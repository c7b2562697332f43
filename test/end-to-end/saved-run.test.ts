import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { line } from '../../src/report/ndjson.ts'
import type { Header } from '../../src/report/record.ts'
import { sample } from '../report/sample.ts'
import { minutes, header as soakHeader } from '../report/soaks.ts'
import { start } from './plimsoll.ts'

const { header, verdicts, footer } = sample()
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const inventory = JSON.stringify([{ id: 'a', kind: 'rule', documented: 'it is' }])

/** A working folder, with a document in it whose scenario leaves a marker when it is imported. */
let cwd: string
let marker: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'plimsoll-saved-'))
  marker = join(cwd, 'marker')
  mkdirSync(join(cwd, 'trap'))
  writeFileSync(join(cwd, 'trap/clauses.json'), inventory)
  writeFileSync(
    join(cwd, 'trap/a.ts'),
    `import { writeFileSync } from 'node:fs'
import { check } from 'plimsoll'
writeFileSync(${JSON.stringify(marker)}, '')
export default check({ title: 'It is', clauses: ['a'], async run() {} })
`
  )
})

/** A run's folder whose header says what it likes. */
function artifact(parts: Partial<Header>): string {
  const folder = join(cwd, 'artifact')
  mkdirSync(folder)
  const document = { sha256: digest(inventory), clauses: 1 }
  const records = [{ ...header, document, ...parts }, ...verdicts, footer!]
  writeFileSync(join(folder, 'results.ndjson'), records.map(line).join(''))
  return folder
}

async function given(...args: string[]) {
  const { code, stdout, stderr } = await start([...args, '--out', cwd], { cwd }).ended
  return { code, text: stdout + stderr }
}

describe('a saved run is data, and nothing it names is carried out', () => {
  const expectations = { file: '/dev/null', sha256: digest(''), strict: false }
  const places = [
    ['a folder', () => join(cwd, 'trap')],
    ['a relative folder', () => 'trap'],
    ['one beside it', () => './artifact/../trap']
  ] as const

  test('a run that is asked to carries it out', async () => {
    const target = ['--target', 'http://127.0.0.1:9', '--scenarios', 'trap']
    await given('run', ...target)
    expect(existsSync(marker)).toBe(true)
  })

  test.each(places)('report of one that names %s', async (_, place) => {
    const folder = artifact({ flags: ['--scenarios', place()], expectations })
    const { code } = await given('report', folder)
    expect(existsSync(marker)).toBe(false)
    expect(code).toBe(1)
  })

  test('held against a file, and taken into one', async () => {
    const folder = artifact({ flags: ['--scenarios', 'trap'], scenarios: ['a'] })
    const accepting = ['--reason', 'later', '--until', '2999-12-31']
    await given('report', folder, '--write-expectations', 'known.json', ...accepting)
    const held = await given('report', folder, '--expect', 'known.json')
    expect(held.text).toMatch(/older version and does not tell what its document holds/)
    expect(existsSync(marker)).toBe(false)
  })

  test('report of a soak, and history', async () => {
    const folder = join(cwd, 'soak')
    mkdirSync(folder)
    const at = soakHeader.startedAt
    const told = { ...soakHeader, flags: ['--scenarios', 'trap'], scenarios: 'trap' }
    const stretches = minutes(() => 100).map((one) => ({ t: 'stretch', at, reasons: [], ...one }))
    const lines = [told, ...stretches].map((one) => `${JSON.stringify(one)}\n`)
    writeFileSync(join(folder, 'soak.ndjson'), lines.join(''))
    expect((await given('report', folder)).text).toMatch(/rss/)
    const interval = [0.99, 1.01]
    const entry = {
      ...{ schema: 'plimsoll-history/1', at, a: '1', b: '2', verdict: 'improved', metric: 'p50' },
      ...{ metrics: { p50: { ratio: 1, interval } }, confidence: 0.98, host: 'h' },
      ...{ flags: ['--scenarios', 'trap'], scenarios: 'trap' }
    }
    writeFileSync(join(cwd, 'h.ndjson'), `${JSON.stringify(entry)}\n`)
    const history = await start(['history', 'h.ndjson', '--out', 'levels'], { cwd }).ended
    expect(history.code).toBe(0)
    expect((await given('report', join(cwd, 'levels'))).text).toMatch(/p50 \+0\.0 % over 1 build/)
    for (const name of ['report.html', 'junit.xml', 'summary.md', 'report.json']) {
      expect(readFileSync(join(cwd, 'levels', name), 'utf8')).toContain('h.ndjson')
    }
    expect(existsSync(marker)).toBe(false)
  })
})

describe('a saved run does not choose what is read or written', () => {
  test('it is held against what its file said then; no file is looked for', async () => {
    const pipe = join(cwd, 'pipe')
    execFileSync('mkfifo', [pipe])
    const failing = verdicts.filter(({ outcome }) => outcome === 'fail')
    const deviations = failing.map(({ clause }) => {
      return { clause, reason: 'known', until: '2999-12-31' }
    })
    const entries = { schema: 'plimsoll-expectations/1' as const, deviations, observations: [] }
    const source = { file: pipe, sha256: digest(''), strict: false }
    const old = await given('report', artifact({ expectations: source }))
    expect(old.text).toMatch(/was held against .*pipe, and is of an older version/)
    expect(old.code).toBe(1)
    cwd = mkdtempSync(join(tmpdir(), 'plimsoll-saved-'))
    const { text } = await given('report', artifact({ expectations: { ...source, entries } }))
    expect(text).toMatch(/3 deviation/)
    expect(text).not.toMatch(/✘/)
  })

  test.each(['results.ndjson', 'soak.ndjson'])(
    '%s that is a pipe or a link is none',
    async (name) => {
      const folder = join(cwd, 'piped')
      mkdirSync(folder)
      execFileSync('mkfifo', [join(folder, name)])
      expect(await given('report', folder)).toMatchObject({
        code: 64,
        text: expect.stringMatching(/there is no run at/)
      })
      const linking = join(cwd, 'linking')
      mkdirSync(linking)
      symlinkSync(join(artifact({}), 'results.ndjson'), join(linking, name))
      expect(await given('report', linking)).toMatchObject({ code: 64 })
    }
  )

  test('what a link in its folder leads to is not written over', async () => {
    const folder = artifact({})
    const own = join(cwd, 'own.txt')
    writeFileSync(own, 'mine')
    symlinkSync(own, join(folder, 'report.html'))
    const { code, text } = await given('report', folder)
    expect(readFileSync(own, 'utf8')).toBe('mine')
    expect(text).toMatch(/report\.html is a link, .*: remove it/)
    expect(code).toBe(64)
  })

  test('nor what has a second name in it', async () => {
    const folder = artifact({})
    const own = join(cwd, 'own.txt')
    writeFileSync(own, 'mine')
    linkSync(own, join(folder, 'report.html'))
    const { code } = await given('report', folder)
    expect(readFileSync(own, 'utf8')).toBe('mine')
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<!doctype html>')
    expect(code).toBe(1)
  })

  test.each([
    ['a pipe', (place: string) => execFileSync('mkfifo', [place])],
    ['a folder', (place: string) => mkdirSync(place)]
  ])('nobody waits for %s where a report is to be written', async (_, make) => {
    const folder = artifact({})
    make(join(folder, 'report.html'))
    const { code, text } = await given('report', folder)
    expect(text).toMatch(/report\.html is no file, .*: remove it/)
    expect(code).toBe(64)
  })

  test('it may be named by its results file', async () => {
    const folder = artifact({})
    const { code, text } = await given('report', join(folder, 'results.ndjson'))
    expect(text).toMatch(/✘ 3 clauses fail/)
    expect(code).toBe(1)
    expect(existsSync(join(folder, 'junit.xml'))).toBe(true)
  })
})

describe('what cannot be read of a saved run', () => {
  test('costs its line, which is named; the rest is told', async () => {
    const folder = artifact({})
    const file = join(folder, 'results.ndjson')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const histogram = '{"t":"histogram","scenario":"a","name":"response","encoded":"AAAA"}'
    const end = lines.splice(-1)
    writeFileSync(file, `${[...lines, histogram, ...end].join('\n')}\n`)
    const { code, text } = await given('report', folder)
    const place = `results.ndjson:${lines.length + 1}: left out: histogram.encoded: must be`
    expect(text).toContain(place)
    expect(text).toMatch(/✘ 3 clauses fail/)
    expect(code).toBe(1)
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('1 line could not be read')
  })

  test('is never good: where the line of a verdict is lost, nothing is green', async () => {
    const folder = artifact({})
    const file = join(folder, 'results.ndjson')
    const counts = { pass: 2 }
    const passing = verdicts.filter(({ outcome }) => outcome === 'pass').slice(0, 2)
    const good = [header, ...passing, { ...footer!, counts, exit: 0 }]
    const written = good.map((one) => line(one))
    writeFileSync(file, written.join(''))
    expect((await given('report', folder)).code).toBe(0)
    writeFileSync(
      file,
      [written[0], written[1]!.replace('"pass"', '"puss"'), ...written.slice(2)].join('')
    )
    const { code, text } = await given('report', folder)
    expect(text).toMatch(/results\.ndjson:2: left out: verdict\.outcome/)
    expect(text).toMatch(/the footer counts 1 more verdicts than are here/)
    expect(text).toMatch(/The run is incomplete/)
    expect(code).toBe(3)
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toMatch(/<testsuites[^>]* errors="1"/)
  })
})

test('a folder of runs is its last run, and what was written is named', async () => {
  const runs = join(cwd, 'runs')
  mkdirSync(runs)
  artifact({})
  symlinkSync('../artifact', join(runs, 'latest'))
  const whole = await given('report', runs)
  expect(whole.text).toMatch(/^ {2}Report: .*runs\/latest\/report\.html$/m)
  expect(existsSync(join(runs, 'latest/report.html'))).toBe(true)
  const other = await given('report', runs, '--reporter', 'csv')
  expect(other.text).toMatch(/^ {2}Results: .*runs\/latest$/m)
  expect(other.text).not.toContain('Report:')
  expect(existsSync(join(runs, 'latest/metrics.csv'))).toBe(true)
})
