import * as v from 'valibot'
import type { HistoryEntry } from '../verdict/history.ts'
import type { PairMetric } from '../verdict/pair-metric.ts'

const measured = v.looseObject({
  ratio: v.number(),
  interval: v.tuple([v.number(), v.number()])
})
const metric = v.picklist([
  ...(['p50', 'p90', 'p99', 'throughput', 'cpu', 'rss'] satisfies PairMetric[])
])

const schema: v.GenericSchema<unknown, HistoryEntry> = v.looseObject({
  schema: v.literal('plimsoll-history/1'),
  at: v.string(),
  a: v.string(),
  b: v.string(),
  verdict: v.picklist([
    ...(['regressed', 'slower-within-budget', 'no-regression', 'improved'] as const),
    'inconclusive'
  ]),
  metric,
  metrics: v.record(metric, v.optional(measured)),
  confidence: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)),
  host: v.string()
})

/** One entry as the line it is written as. */
export function historyLine(entry: HistoryEntry): string {
  return `${JSON.stringify(entry)}\n`
}

/** The entries in a history's text; throws an Error that names `file` and the line. */
export function readHistory(text: string, file: string): HistoryEntry[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const place = `${file}:${index + 1}`
      let value: unknown
      try {
        value = JSON.parse(line)
      } catch (cause) {
        throw new Error(`${place}: not JSON: ${(cause as Error).message}`)
      }
      const result = v.safeParse(schema, value)
      if (result.success) return result.output
      const [issue] = result.issues
      throw new Error(`${place}: ${v.getDotPath(issue) ?? 'the entry'}: ${issue.message}`)
    })
}
