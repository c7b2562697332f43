import * as v from 'valibot'
import { checked } from '../kernel/api/body.ts'
import { invalid } from '../kernel/api/failure.ts'
import { newId } from '../kernel/id.ts'
import type { Store } from '../kernel/store.ts'
import { typeOf, unknownField } from './dataset.ts'
import { parseDestination } from './destination.ts'
import { parseFilter } from './filter.ts'
import type { LogpushLimits } from './limits.ts'
import { outputOptions } from './output.ts'
import { type Dataset, datasets } from './record.ts'

/** What a client says of a job; `filter` null is none. */
function jobFields({ batchRecords, batchBytes, intervalSeconds }: LogpushLimits) {
  const count = (most: number) =>
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)))
  return v.object({
    name: v.optional(v.pipe(v.string(), v.maxLength(512)), ''),
    dataset: v.picklist(datasets, `must be one of ${datasets.join(', ')}`),
    enabled: v.optional(v.boolean(), true),
    output_options: v.optional(outputOptions, {}),
    filter: v.optional(v.nullable(v.string()), null),
    destination_conf: v.pipe(v.string(), v.maxLength(4_096)),
    max_upload_records: count(batchRecords),
    max_upload_bytes: count(batchBytes),
    max_upload_interval_seconds: v.optional(
      v.pipe(v.number(), v.gtValue(0), v.maxValue(intervalSeconds.most))
    )
  })
}

/** What a client says of a job. */
export type JobFields = v.InferOutput<ReturnType<typeof jobFields>>

/** How deliveries of a job have gone. */
export type Progress = {
  /** When a batch last arrived, and when one last did not: RFC 3339, UTC. */
  last_complete: string | null
  last_error: string | null
  /** Why the last batch did not arrive; null once one has. */
  error_message: string | null
  /** Records that came while as many were waiting as may, and are gone. */
  records_lost: number
}

/** A log-push job as the management API shows it. */
export type Job = { id: number } & JobFields & Progress

/** A job as clients may describe it, whole, or one that is changed; otherwise fails. */
export function checkedJob(body: object, limits: LogpushLimits, before?: Job): JobFields {
  const schema = jobFields(limits)
  const fields = checked(schema, { ...before, ...body })
  const { dataset, filter, output_options: options, destination_conf } = fields
  if (before && before.dataset !== dataset) throw invalid('dataset: cannot be changed')
  parseDestination(destination_conf)
  if (filter !== null) parseFilter(filter, dataset, limits)
  const names = options.field_names ?? []
  for (const [index, name] of names.entries()) {
    const place = `output_options.field_names.${index}`
    if (typeOf(dataset, name) === undefined)
      throw invalid(`${place}: ${unknownField(name, dataset)}`)
    if (names.indexOf(name) < index) throw invalid(`${place}: ${name} is there twice`)
  }
  return fields
}

type Row = Omit<Progress, 'records_lost'> & { id: number; record: string; records_lost: number }

const columns = 'id, record, last_complete, last_error, error_message, lost AS records_lost'

function jobIn({ id, record, ...progress }: Row): Job {
  return { id, ...JSON.parse(record), ...progress }
}

const changes = new WeakMap<Store, number>()

function changed(store: Store) {
  changes.set(store, (changes.get(store) ?? 0) + 1)
}

/**
 * What was read of a store's jobs, and is read again when one has been added, changed or deleted:
 * every request asks. Jobs that went with their zone may still be in it.
 */
export function remembered<Value>(store: Store, read: () => Value): () => Value {
  let last: { change?: number; value: Value } | undefined
  return () => {
    const change = changes.get(store)
    if (last === undefined || last.change !== change) last = { change, value: read() }
    return last.value
  }
}

/** Whether any zone has a job. */
export function hasJobs(store: Store): boolean {
  return store.first('SELECT 1 FROM logpush_job LIMIT 1') !== undefined
}

/** Adds a job to a zone and returns its id. */
export function addJob(store: Store, zone: string, fields: JobFields): number {
  changed(store)
  return store.first<{ id: number }>(
    'INSERT INTO logpush_job (zone, dataset, series, record) VALUES (?, ?, ?, ?) RETURNING id',
    ...[zone, fields.dataset, newId().slice(0, 12), JSON.stringify(fields)]
  )!.id
}

/** The jobs of a zone, oldest first. */
export function listJobs(store: Store, zone: string): Job[] {
  const sql = `SELECT ${columns} FROM logpush_job WHERE zone = ? ORDER BY id`
  return store.all<Row>(sql, zone).map(jobIn)
}

/** The job of a zone with this id, if there is one. */
export function readJob(store: Store, zone: string, id: string): Job | undefined {
  const sql = `SELECT ${columns} FROM logpush_job WHERE zone = ? AND id = ?`
  const row = store.first<Row>(sql, zone, Number(id))
  return row && jobIn(row)
}

/** The job with this id in whichever zone, if there is one. */
export function jobWithId(store: Store, id: number): Job | undefined {
  const row = store.first<Row>(`SELECT ${columns} FROM logpush_job WHERE id = ?`, id)
  return row && jobIn(row)
}

/** Changes what a client has said of a job. */
export function writeJob(store: Store, id: number, fields: JobFields) {
  changed(store)
  store.run('UPDATE logpush_job SET record = ? WHERE id = ?', JSON.stringify(fields), id)
}

/** Deletes a job, and with it what was waiting to be delivered. */
export function deleteJob(store: Store, id: number) {
  changed(store)
  store.run('DELETE FROM logpush_job WHERE id = ?', id)
}

/** The jobs that take the records of a dataset: their ids, and what was said of each as JSON. */
export function takers(store: Store, zone: string, dataset: Dataset) {
  const sql = 'SELECT id, record FROM logpush_job WHERE zone = ? AND dataset = ?'
  return store.all<{ id: number; record: string }>(sql, zone, dataset)
}
