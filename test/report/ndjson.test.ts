import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { line, parse } from '../../src/report/ndjson.ts'
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

describe('what does not belong is refused, with the place and the remedy', () => {
  const lines = text.trimEnd().split('\n')
  const with2 = (second: string) => [lines[0], second, ...lines.slice(2)].join('\n')
  const verdict = report.verdicts[0]!

  test.each([
    ['a broken line', with2('{"t":"pro'), `${file}:2: not JSON`],
    ['an empty line', with2(''), `${file}:2: not JSON`],
    ['another type', with2('[]'), `${file}:2: "t" is undefined`],
    ['nothing', with2('null'), `${file}:2: "t" is undefined`],
    ['an unknown record', with2('{"t":"span"}'), `${file}:2: "t" is "span"`],
    ['an inherited name', with2('{"t":"toString"}'), `${file}:2: "t" is "toString"`],
    [
      'an unknown outcome',
      with2(JSON.stringify({ ...verdict, outcome: 'fine' })),
      `${file}:2: verdict.outcome`
    ],
    [
      'a missing field',
      with2(JSON.stringify({ ...verdict, because: undefined })),
      `${file}:2: verdict.because`
    ],
    [
      'unknown evidence',
      with2(JSON.stringify({ ...verdict, evidence: { kind: 'hearsay' } })),
      `${file}:2: verdict.evidence.kind`
    ],
    [
      'broken evidence',
      with2(JSON.stringify({ ...verdict, evidence: { kind: 'observations', attempts: [{}] } })),
      `${file}:2: verdict.evidence.attempts.0`
    ],
    ['another schema', text.replace('plimsoll/1', 'plimsoll/2'), `${file}:1: header.schema`],
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
