import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReading, line, parse } from '../../src/report/ndjson.ts'
import type { ProbeRecord, Report, ResultRecord } from '../../src/report/record.ts'
import { anyText, says } from './hostile.ts'
import { sample } from './sample.ts'

const report = sample()
const file = 'reports/x/results.ndjson'

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

function records({ header, verdicts, metrics, histograms, footer }: Report): ResultRecord[] {
  const probes = Object.entries(report.probes).flatMap(([clause, count]) =>
    Array.from({ length: count }, (_, index) => probe(clause, index + 1))
  )
  return [header, ...probes, ...verdicts, ...metrics, ...histograms, ...(footer ? [footer] : [])]
}

const text = records(report).map(line).join('')

test('a whole run comes back as it was', () => {
  expect(parse(text, file)).toEqual(report)
})

test('every record is one line, whatever is in it', () => {
  fc.assert(
    fc.property(anyText, (said) => {
      const written = line(says(said))
      expect(written.indexOf('\n')).toBe(written.length - 1)
      expect(parse(line(report.header) + written, file).verdicts).toEqual([says(said)])
    }),
    { seed: 4 }
  )
})

test('fields nobody knows yet are kept', () => {
  const [header, ...rest] = text.split('\n')
  const newer = [JSON.stringify({ ...JSON.parse(header!), branch: 'main' }), ...rest].join('\n')
  expect(parse(newer, file).header).toMatchObject({ branch: 'main' })
})

test('a line of more levels than a stack holds is lost alone, and named', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const bad = `${line(report.verdicts[0]!).trimEnd().slice(0, -1)},"newer":${deep}}\n`
  const [header, ...rest] = records(report).map(line)
  const read = parse([header, bad, ...rest].join(''), file)
  expect(read.lost).toEqual({
    count: 1,
    first: [{ line: 2, because: 'goes deeper than 100 levels' }]
  })
  expect(read.verdicts).toEqual(report.verdicts)
})

test('cut anywhere after its first line, a run is read up to the last whole record', () => {
  const short = [report.header, ...report.verdicts.slice(0, 2), report.footer!].map(line)
  const ends = short.map((_, index) => short.slice(0, index + 1).join('').length - 1)
  const whole = short.join('')
  for (let cut = ends[0]!; cut <= whole.length; cut++) {
    const read = parse(whole.slice(0, cut), file)
    const complete = ends.filter((end) => end <= cut).length
    expect(read.verdicts.length).toBe(Math.min(2, complete - 1))
    expect(read.footer !== undefined).toBe(complete === 4)
  }
})

const lines = text.trimEnd().split('\n')
const with2 = (second: string) => [lines[0], second, ...lines.slice(2)].join('\n')
const verdict = report.verdicts[0]!
const changed = (parts: object) => JSON.stringify({ ...verdict, ...parts })

test.each([
  ['a broken line', '{"t":"pro', /^not JSON/],
  ['an empty line', '', /^not JSON/],
  ['a terminal’s escapes', '\x1b[31m\x07', /^not JSON: [^\p{Cc}]*$/u],
  ['another type', '[]', /^"t" is undefined, and this version knows header/],
  ['nothing', 'null', /^"t" is undefined/],
  ['a number', '7', /^"t" is undefined/],
  ['an unknown record', '{"t":"span"}', /^"t" is "span"/],
  ['an inherited name', '{"t":"toString"}', /^"t" is "toString"/],
  ['a name as long as a book', `{"t":"${'x'.repeat(1e6)}"}`, /^"t" is "x{40}", and/],
  ['an unknown outcome', changed({ outcome: 'fine' }), /^verdict\.outcome/],
  ['a missing field', changed({ because: undefined }), /^verdict\.because/],
  ['unknown evidence', changed({ evidence: { kind: 'hearsay' } }), /^verdict\.evidence\.kind/],
  [
    'broken evidence',
    changed({ evidence: { kind: 'observations', attempts: [{}] } }),
    /^verdict\.evidence\.attempts\.0/
  ],
  [
    'a histogram that is none',
    JSON.stringify({ ...report.histograms[0], encoded: 'SGlzdG9ncmFt' }),
    /^histogram\.encoded: must be a distribution/
  ],
  ['a number beyond all', '{"t":"metric","scenario":"a","value":1e999}', /^metric\./]
])('%s costs its line, which is named', (_, content, because) => {
  const { lost, verdicts } = parse(`${with2(content)}\n`, file)
  expect(lost).toEqual({
    count: 1,
    first: [{ line: 2, because: expect.stringMatching(because) }]
  })
  expect(lost!.first[0]!.because.length).toBeLessThan(400)
  expect(verdicts).toEqual(report.verdicts)
})

test('lost lines are counted, and the first of them named', () => {
  const broken = Array.from({ length: 50 }, () => '{').join('\n')
  const { lost } = parse(`${line(report.header)}${broken}\n`, file)
  expect(lost).toMatchObject({ count: 50 })
  expect(lost!.first.map((one) => one.line)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 2)
  )
})

test('a verdict that cannot be judged again costs its line', () => {
  const reading = createReading(file, () => {
    throw new Error('no judge')
  })
  for (const content of lines) reading.take(content)
  expect(reading.report()).toMatchObject({
    verdicts: [],
    lost: { count: report.verdicts.length, first: expect.anything() }
  })
})

test('what the document and its folder hold comes back too', () => {
  const inventory = [{ t: 'clause' as const, id: 'a', kind: 'rule', documented: 'it is' }]
  const plan = [{ t: 'scenario' as const, id: 'a/b', clauses: ['a'] }]
  const written = [report.header, ...inventory, ...plan].map(line).join('')
  expect(parse(written, file)).toMatchObject({ inventory, plan })
})

test('of very many verdicts of one outcome only the first keep what they rest on', () => {
  const many = Array.from({ length: 2_100 }, () => line(verdict)).join('')
  const { verdicts } = parse(line(report.header) + many, file)
  expect(verdicts).toHaveLength(2_100)
  expect(verdicts[1_999]).toEqual(verdict)
  expect(verdicts[2_000]).toMatchObject({
    ...{ clause: verdict.clause, observed: verdict.observed, evidenceLeftOut: true },
    evidence: { kind: 'boundary', boundaries: [] }
  })
})

describe('what does not belong is refused, with the place and the remedy', () => {
  test.each([
    ['another schema', text.replace('plimsoll/1', 'plimsoll/2'), `${file}:1: header.schema`],
    [
      'a moment that is none',
      text.replace(report.header.startedAt, 'soon'),
      `${file}:1: header.startedAt`
    ],
    ['no header', lines.slice(1).join('\n'), `${file}:1: no header`],
    ['an empty file', '', `${file}:1: no header`],
    ['two runs in one', text + text, `${file}:${lines.length + 1}: a header`],
    ['something after the end', text + line(verdict), `${file}:${lines.length + 1}: a verdict`],
    ['a second header', with2(lines[0]!), `${file}:2: a header`]
  ])('%s', (_, broken, message) => {
    const attempt = () => parse(broken, file)
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(/Restore|Keep one run|Give the results/)
  })
})
