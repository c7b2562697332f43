import * as v from 'valibot'
import { above0 } from '../number.ts'
import type { HistoryEntry } from '../verdict/history.ts'
import type { PairMetric } from '../verdict/pair-metric.ts'
import { readJson } from './json-line.ts'
import { oneLine } from './printable.ts'

/** An interval that is written by hand may be the wrong way round, or beside its ratio. */
const measured = v.pipe(
  v.looseObject({ ratio: above0, interval: v.tuple([above0, above0]) }),
  v.check(
    ({ ratio, interval: [low, high] }) => low <= ratio && ratio <= high,
    'the interval has to hold the ratio: the low end, then the high one'
  )
)
const metric = v.picklist([
  ...(['p50', 'p90', 'p99', 'mean', 'throughput', 'cpu', 'rss'] satisfies PairMetric[])
])

/** What a comparison of two builds may have come to. */
export const pairVerdict = v.picklist([
  ...(['regressed', 'slower-within-budget', 'no-regression', 'improved'] as const),
  'inconclusive'
])

const schema: v.GenericSchema<unknown, HistoryEntry> = v.pipe(
  v.looseObject({
    schema: v.literal('plimsoll-history/1'),
    at: v.string(),
    a: v.string(),
    b: v.string(),
    verdict: pairVerdict,
    metric,
    metrics: v.record(metric, v.optional(measured)),
    confidence: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)),
    host: v.string()
  }),
  v.check(({ a, b }) => a !== b, 'a build is held against itself: names tell builds apart')
)

/** One entry as the line it is written as. */
export function historyLine(entry: HistoryEntry): string {
  return `${JSON.stringify(entry)}\n`
}

const isObject = (value: unknown): value is Partial<HistoryEntry> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entries in a history's text; throws an Error that names `file` and the line. */
export function readHistory(text: string, file: string): HistoryEntry[] {
  return text
    .split('\n')
    .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, place }) => {
      let value: unknown
      try {
        value = readJson(line)
      } catch (cause) {
        throw new Error(`${place}: ${(cause as Error).message}`)
      }
      if (isObject(value) && value.schema !== 'plimsoll-history/1')
        throw new Error(`${place}: schema is not plimsoll-history/1, so this is no history`)
      const result = v.safeParse(schema, value)
      if (result.success) return result.output
      const [issue] = result.issues
      const field = v.getDotPath(issue) ?? 'the entry'
      throw new Error(`${place}: ${field}: ${oneLine(issue.message, 300)}`)
    })
}
