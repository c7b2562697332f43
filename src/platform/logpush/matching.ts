import type { Store } from '../kernel/store.ts'
import { type Filter, parseFilter } from './filter.ts'
import { type JobFields, remembered, takers } from './job.ts'
import { lineOf, type Output } from './output.ts'
import type { Dataset, Fields } from './record.ts'
import { passes, type Selection } from './selection.ts'

/** A job as it decides on records; one without a filter takes all. */
type Matcher = { id: number; job: JobFields; filter?: Filter }

/** A line of JSON for a job to deliver. */
export type Line = { job: number; line: string }

/** What was accepted once stays as it is, even by a platform with smaller limits. */
const anySize = { filterBytes: Infinity, filterOperators: Infinity }

/** A function from a record to the lines it is for the jobs of its zone, of those that take it. */
export function matching(rules: { selection: Selection; output: Output }, store: Store) {
  const known = remembered(store, () => new Map<string, Matcher[]>())
  const matchersOf = (dataset: Dataset, zone: string): Matcher[] => {
    const key = `${zone} ${dataset}`
    const found = known().get(key) ?? takers(store, zone, dataset).map(prepared)
    known().set(key, found)
    return found
  }

  function isTaken({ job, filter }: Matcher, fields: Fields): boolean {
    const { dataset, enabled, output_options: options } = job
    return (
      enabled &&
      (filter === undefined || passes(rules.selection, { filter, dataset, fields })) &&
      rules.selection.isSampled(options.sample_rate ?? 1, fields)
    )
  }

  return (dataset: Dataset, zone: string, fields: Fields): Line[] =>
    matchersOf(dataset, zone)
      .filter((matcher) => isTaken(matcher, fields))
      .map(({ id, job: { output_options: options } }) => ({
        job: id,
        line: lineOf(rules.output, { dataset, fields, options })
      }))
}

function prepared({ id, record }: { id: number; record: string }): Matcher {
  const job: JobFields = JSON.parse(record)
  const { filter, dataset } = job
  return { id, job, filter: filter === null ? undefined : parseFilter(filter, dataset, anySize) }
}
