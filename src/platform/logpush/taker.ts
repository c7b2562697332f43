import type { Store } from '../store.ts'
import { type Filter, parseFilter } from './filter.ts'
import { type JobFields, takers } from './job.ts'
import { lineOf, type Output } from './output.ts'
import type { Dataset, Fields } from './record.ts'
import { passes, type Selection } from './selection.ts'

/** A job as it decides on records; one without a filter takes all. */
type Taker = { job: JobFields; filter?: Filter }

/** A line of JSON for a job to deliver. */
export type Line = { job: number; line: string }

/** So many different jobs are kept prepared; beyond that they are prepared anew. */
const mostKept = 1_000

/** What was accepted once stays as it is, even by a platform with smaller limits. */
const anySize = { filterBytes: Infinity, filterOperators: Infinity }

/** A function from a record to the lines it is for the jobs of its zone, of those that take it. */
export function taking(rules: { selection: Selection; output: Output }, store: Store) {
  const kept = new Map<string, Taker>()
  const takerOf = (record: string): Taker => {
    const known = kept.get(record)
    if (known) return known
    const job: JobFields = JSON.parse(record)
    const filter = job.filter === null ? undefined : parseFilter(job.filter, job.dataset, anySize)
    if (kept.size >= mostKept) kept.clear()
    kept.set(record, { job, filter })
    return { job, filter }
  }

  function isTaken({ job, filter }: Taker, fields: Fields): boolean {
    const { dataset, enabled, output_options: options } = job
    return (
      enabled &&
      (filter === undefined || passes(rules.selection, { filter, dataset, fields })) &&
      rules.selection.isSampled(options.sample_rate ?? 1, fields)
    )
  }

  return (dataset: Dataset, zone: string, fields: Fields): Line[] =>
    takers(store, zone, dataset).flatMap(({ id, record }) => {
      const taker = takerOf(record)
      if (!isTaken(taker, fields)) return []
      const options = taker.job.output_options
      return [{ job: id, line: lineOf(rules.output, { dataset, fields, options }) }]
    })
}
