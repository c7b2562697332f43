import { closeSync, mkdtempSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { line } from '../../src/report/ndjson.ts'
import type { ProbeRecord, ResultRecord, VerdictRecord } from '../../src/report/record.ts'
import { sample } from '../report/sample.ts'
import { seen } from '../verdict/observations.ts'
import { plimsoll } from './plimsoll.ts'

// More than a function takes as arguments, with the stack that Node has: to spread them overflows.
const many = 130_000
const told = (count: number) => count.toLocaleString('en')
const { header, verdicts, footer } = sample()

/** A run's folder with these records in it. */
function folderOf(records: Iterable<ResultRecord>): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-large-'))
  const file = openSync(join(folder, 'results.ndjson'), 'w')
  let text = ''
  for (const record of records) {
    text += line(record)
    if (text.length < 1_000_000) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
  return folder
}

function probe(clause: string, seq: number): ProbeRecord {
  const outcome = {
    kind: 'accepted',
    proper: true,
    status: 200,
    phase: 'end',
    because: ''
  } as const
  const input = { value: seq, unit: 'bytes', variant: '' }
  return { t: 'probe', scenario: 'edge/url', clause, seq, input, outcome }
}

/** One clause of very many; every second one does not hold. */
function verdict(index: number): VerdictRecord {
  const clause = `clause.${index}`
  const attempt = [seen(clause, { holds: index % 2 === 0 })]
  return {
    ...verdicts[0]!,
    ...{ clause, scenario: `area/${index % 1_000}`, documented: 'it is' },
    evidence: { kind: 'observations', attempts: [attempt, attempt, attempt] }
  }
}

test('very many questions and verdicts are told, the first of them whole', async () => {
  function* records(): Generator<ResultRecord> {
    yield header
    for (let index = 0; index < many; index++) {
      yield probe(`clause.${index % 500}`, index)
      yield verdict(index)
    }
    yield { ...footer!, counts: { pass: many / 2, fail: many / 2 } }
  }
  const folder = folderOf(records())
  const { code, stdout } = await plimsoll('report', folder)
  expect(stdout).toMatch(new RegExp(`✘ ${many / 2} clauses fail`))
  expect(stdout).toMatch(new RegExp(`… and ${many / 2 - 100} more like these, in the report`))
  expect(code).toBe(1)
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(text('junit.xml')).toMatch(
    new RegExp(`<testsuites [^>]*tests="${many}" failures="${many / 2}" errors="0"`)
  )
  expect(text('junit.xml').split('<testcase ').length - 1).toBe(many)
  expect(text('report.json').split('"t": "verdict"').length - 1).toBe(many)
  const page = text('report.html')
  expect(page.split('<details class="verdict"').length - 1).toBe(4_000)
  expect(page).toContain(`And ${told(many / 2 - 2_000)} more, in results.ndjson.`)
  expect(text('summary.md')).toMatch(/And \d+ more, in results\.ndjson\./)
  expect(statSync(join(folder, 'summary.md')).size).toBeLessThan(1_048_576)
}, 180_000)

test('a verdict that rests on as many answers is judged and told', async () => {
  const { evidence } = verdicts[0]!
  if (evidence.kind !== 'boundary') throw new Error('the sample has changed')
  const asked = Array.from({ length: many }, (_, index) => {
    const kind = index < many - 1 ? ('accepted' as const) : ('rejected' as const)
    return { value: index % 16_385, kind, proper: true, because: 'HTTP 200' }
  })
  const [first] = evidence.boundaries
  const boundaries = [{ ...first!, boundary: { ...first!.boundary, asked } }]
  const large = { ...verdicts[0]!, evidence: { ...evidence, boundaries } }
  const closed = { ...first!.boundary, kind: 'closed' as const, accepted: undefined }
  const refused = asked.map((one) => ({ ...one, value: one.value + 1, kind: 'rejected' as const }))
  const nothing = [{ ...first!, boundary: { ...closed, asked: refused } }]
  const none = { ...large, clause: 'none', evidence: { ...evidence, boundaries: nothing } }
  const folder = folderOf([header, large, none, { ...footer!, counts: { pass: 1, blocked: 1 } }])
  const { code, stdout } = await plimsoll('report', folder)
  expect(stdout).toMatch(/blocked: the target was not usable/)
  expect(code).toBe(2)
  const page = readFileSync(join(folder, 'report.html'), 'utf8')
  expect(page).toContain(`<summary>${told(many)} questions asked</summary>`)
  expect(page).toContain(`And ${told(many - 100)} more questions, in results.ndjson.`)
}, 60_000)

test('an expectation file of 60,000 entries is held against as many verdicts', async () => {
  const count = 60_000
  const deviations = Array.from({ length: count }, (_, index) => {
    const scenario = `area/${index}`
    return { clause: 'one', scenario, reason: 'known', until: '2999-12-31' }
  })
  const entries = { schema: 'plimsoll-expectations/1' as const, deviations, observations: [] }
  const expectations = { file: 'e.json', sha256: '0a', strict: false, entries }
  function* records(): Generator<ResultRecord> {
    yield { ...header, expectations }
    for (let index = 0; index < count; index++) {
      yield { ...verdict(2 * index + 1), clause: 'clause.1', scenario: `area/${index}` }
    }
    yield { ...footer!, counts: { fail: count } }
  }
  const { code, stdout } = await plimsoll('report', folderOf(records()), '--reporter', 'markdown')
  expect(stdout).toMatch(/1 clause fails/)
  expect(code).toBe(1)
}, 120_000)
