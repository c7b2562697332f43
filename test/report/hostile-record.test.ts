import { describe, expect, test } from 'vitest'
import { html } from '../../src/report/html.ts'
import { json } from '../../src/report/json.ts'
import { junit } from '../../src/report/junit.ts'
import { markdown } from '../../src/report/markdown.ts'
import { createReading } from '../../src/report/ndjson.ts'
import type { Report, VerdictRecord } from '../../src/report/record.ts'
import { readSoakLine } from '../../src/report/soak-record.ts'
import { terminal } from '../../src/report/terminal.ts'
import { judge } from '../../src/verdict/judge.ts'
import { sample } from './sample.ts'
import { minutes, header as soakHeader } from './soaks.ts'
import { unpacked } from './unpacked.ts'

/** What no field of a results file is made for, as JSON; 1e999 is read as Infinity. */
const hostile = [
  ...['null', 'true', '0', '-1', '0.5', '1e308', '-1e308', '1e-308', '1e999', '9007199254740993'],
  ...['""', '"__proto__"', '"constructor"', '"\\u0000\\u001b[31m\\u009b"', '"\\ud83d"'],
  ...['"<script>alert(1)</script>"', '[]', '{}', '[[]]', '[null]'],
  ...['{"__proto__":{"t":"x"},"toString":1}', '{"length":1e9}', `"${'x'.repeat(100_000)}"`]
]

const { encoded } = sample().histograms[0]!
const percentiles = { p50: 1, p90: 2, p99: 3, p999: 4, max: 5, mean: 2 }
const trial = {
  ...{ purpose: 'search', rate: 10, seconds: 1, outcome: 'held', because: '', lossRatio: 0 },
  ...{ goodput: 10, p50Us: 1, p99Us: 2, errorShare: 0 }
}
const response = { encoded, count: 20_000, minUs: 1, maxUs: 9, sumUs: 9 }
const stretch = {
  ...{ seconds: 60, voidSeconds: 0, floors: { rss: 1 } },
  load: { seconds: 60, requests: 9, failures: 0, response, cpuUs: 1 }
}
const evidences = [
  {
    ...{ kind: 'load', broken: ['x'], slower: { p99Ms: 1 } },
    objectives: { p99Ms: 20, errorRatio: 0.1, perSecond: 1, every: { seconds: 1, p50Ms: 1 } },
    summary: {
      ...{ connections: { opened: 1 }, unanswered: 'x' },
      ...{ requests: 900, rps: 9, errors: { '5xx': 1 }, timeouts: 1, dropped: 1, service: {} },
      ...{ response: percentiles, statuses: { 200: 9 }, generator: { valid: true, reasons: ['x'] } }
    }
  },
  {
    ...{ kind: 'capacity', demand: { perSecond: 9, p99Ms: 9, errorRatio: 0.1 } },
    found: {
      ...{ lower: 1, upper: 2, interval: [1, 2], confirmed: 1, binding: 'latency' },
      ...{ degradation: [trial], ended: 'found', trials: [trial] }
    }
  },
  {
    kind: 'soak',
    terms: { budget: 0.1, seed: 1, budgets: { rss: 1 } },
    stretches: [stretch, stretch]
  },
  {
    ...{ kind: 'command', conclusion: { outcome: 'fail', observed: 'x', because: 'y' } },
    found: {
      ...{ of: 'comparison', metric: 'p50', budget: 5, ratio: 1.1, interval: [1, 1.2] },
      metrics: { p50: { ratio: 1.1, interval: [1, 1.2], p: 1, a: 1, b: 2, unit: 'µs' } },
      pairs: [{ ratio: 1.1, confirms: true }]
    }
  },
  {
    ...{ kind: 'command', conclusion: { outcome: 'fail', observed: 'x', because: 'y' } },
    found: { of: 'limit', rate: { algorithm: 'a', burst: 9, perSecond: 1, windowMs: 9 } }
  },
  {
    ...{ kind: 'none', outcome: 'error', because: 'x' },
    fault: { name: 'a', message: 'b', file: 'c', line: 1, column: 1, frame: 'd' }
  },
  ...sample()
    .verdicts.slice(0, 8)
    .map(({ evidence }) => evidence)
]
const { header, metrics, histograms, footer, verdicts } = sample()
const entries = {
  schema: 'plimsoll-expectations/1',
  deviations: [{ clause: 'a', scenario: 'b', observed: 'c', reason: 'd', until: '2027-01-01' }],
  observations: [{ clause: 'a', scenario: 'b', observed: 'c' }]
}
const held = { file: 'e.json', sha256: '0a', strict: false, gate: 'observed', entries }
const agents = [{ id: 'a', threads: 1, clockErrorMs: 1 }]
const probe = {
  ...{ t: 'probe', scenario: 'a', clause: 'b', seq: 1 },
  input: { value: 1, unit: 'bytes', variant: '' },
  outcome: { kind: 'accepted', proper: true, status: 200, phase: 'end', because: '' }
}
const remarks = [{ clause: 'a', text: 'b', failing: true }]
const records: object[] = [
  { ...header, expectations: held, agents, advice: 'warn' },
  { t: 'clause', id: 'a', kind: 'rule', documented: 'b', derived: true, section: 'c', lines: '1' },
  { t: 'scenario', id: 'a', title: 'b', tier: 'full', clauses: ['c'] },
  probe,
  metrics[0]!,
  histograms[0]!,
  {
    ...{ t: 'window', scenario: 'a', fromMs: 0, toMs: 9, finished: 1, measured: 1, failed: 1 },
    ...{ dropped: 1, inFlight: 1, p50Us: 1, p99Us: 2 }
  },
  { ...footer!, remarks },
  ...evidences.map((evidence) => ({ ...verdicts[0], derived: true, evidence }))
]

type Path = (string | number)[]

/** Every place in a record, its fields' fields too. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Array.isArray(value) ? [[0, value[0]] as const] : Object.entries(value)
  return [at, ...inner.flatMap(([name, one]) => placesIn(one, [...at, name]))].filter(
    (place) => place.length > 0 && place[0] !== 't'
  )
}

const mark = 'put something hostile here'

/** A record as JSON with something else in one place. */
function withIn(record: object, place: Path, literal: string): string {
  const copy = structuredClone(record) as Record<string | number, unknown>
  let at: Record<string | number, unknown> = copy
  for (const name of place.slice(0, -1)) at = at[name] as never
  at[place.at(-1)!] = mark
  return JSON.stringify(copy).replace(JSON.stringify(mark), () => literal)
}

function judgedAgain(verdict: VerdictRecord): VerdictRecord {
  return { ...verdict, ...judge(verdict.evidence, verdict) }
}

/** The report of some lines, or what it is refused with. */
function read(lines: readonly string[]): Report | string {
  try {
    const reading = createReading('r.ndjson', judgedAgain)
    for (const line of lines) reading.take(line)
    return reading.report()
  } catch (cause) {
    return (cause as Error).message
  }
}

/** What must not get to a terminal, and what not into a page. */
const control = /[^\P{Cc}\n\t]/u
const foreign = /<script>alert/

const whole = JSON.stringify(records[0])
const end = JSON.stringify(records[7])

describe.each(records.map((record) => [JSON.stringify(record).slice(0, 60), record]))(
  '%s',
  (_, record) => {
    test('whatever stands in a field is told or named, and safe', () => {
      const seen = new Set<string>()
      for (const place of placesIn(record)) {
        for (const literal of hostile) {
          const content = withIn(record as object, place, literal)
          const isHeader = content.startsWith('{"t":"header"')
          const lines = isHeader ? [content, end] : [whole, content]
          const where = `${place.join('.')} = ${literal.slice(0, 40)}`
          const report = read(lines)
          if (typeof report === 'string') {
            expect(report, where).toMatch(/^r\.ndjson:1: (header\.|no header)/)
            expect(report, where).not.toMatch(control)
            expect(report.length, where).toBeLessThan(500)
            continue
          }
          // What is refused without a word of its value comes to one report, whatever it was.
          const told = json(report)
          if (seen.has(told)) continue
          seen.add(told)
          const page = (of: Report) => unpacked(html(of))
          const texts = [page, junit, markdown].map((format) => format(report))
          const printed = terminal(report, { colour: false, verdicts: 'listed' })
          for (const text of [...texts, printed]) {
            expect(control.exec(text)?.[0], where).toBeUndefined()
          }
          for (const text of texts.slice(0, 2)) {
            expect(foreign.exec(text)?.[0], where).toBeUndefined()
          }
          expect(() => JSON.parse(told), where).not.toThrow()
          for (const { because } of report.lost?.first ?? []) {
            expect(because, where).not.toMatch(control)
            expect(because.length, where).toBeLessThan(500)
          }
        }
      }
    }, 60_000)
  }
)

test('a soak’s lines are read, or refused with their field', () => {
  const [minute] = minutes(() => 1)
  const at = soakHeader.startedAt
  for (const record of [soakHeader, { t: 'stretch', at, reasons: ['x'], ...minute, ...stretch }]) {
    for (const place of placesIn(record)) {
      for (const literal of hostile) {
        try {
          readSoakLine(withIn(record, place, literal))
        } catch (cause) {
          const { message } = cause as Error
          expect(message).toMatch(/^(soak|stretch)\./)
          expect(message).not.toMatch(control)
          expect(message.length).toBeLessThan(500)
        }
      }
    }
  }
})

test('a name that every object has is a name like any other', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const lines = names.map((clause) => JSON.stringify({ ...probe, clause }))
  const judged = names.map((clause) => JSON.stringify({ ...verdicts[0], clause }))
  const report = read([whole, ...lines, ...judged]) as Report
  expect(Object.entries(report.probes)).toEqual(names.map((name) => [name, 1]))
  expect(unpacked(html(report))).toContain('1 question')
})

test('what stands too deep in itself to be written again costs its line', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const within = (record: object, levels: number) =>
    JSON.stringify(record).replace(/}$/, `,"more":${deep(levels)}}`)
  const report = read([whole, within(verdicts[0]!, 50_000), within(verdicts[0]!, 40)]) as Report
  expect(report.lost).toMatchObject({ count: 1, first: [{ line: 2 }] })
  expect(report.verdicts).toHaveLength(1)
  expect(() => JSON.parse(json(report))).not.toThrow()
  expect(() => readSoakLine(within(soakHeader, 50_000))).toThrow(/levels/)
})
