import type { SQLInputValue } from 'node:sqlite'
import { offset, type Page } from '../kernel/api/paging.ts'
import type { Store } from '../kernel/store.ts'
import type { Detection, Kind } from './detection.ts'

/** Which detections of a zone are meant; an empty list leaves its column free. */
export type Filter = {
  zone: string
  kind: Kind['name']
  status: readonly string[]
  hosts: readonly string[]
}

/** Rows with neighbouring numbers are counted together, so many of them in a block. */
const blockRows = 1_000

/** Adds a detection to a zone, behind those it has; false when the zone has one with this id. */
export function addDetection(
  store: Store,
  { zone, kind }: Pick<Filter, 'zone' | 'kind'>,
  record: Detection
): boolean {
  const sql = `INSERT INTO detection (zone, kind, id, host, status, record)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (zone, kind, id) DO NOTHING`
  const { id, host, status } = record
  const columns = [zone, kind, id, host.toLowerCase(), status, JSON.stringify(record)]
  return store.run(sql, ...columns) === 1
}

/** A detection by its kind and id. */
export type Place = Pick<Filter, 'zone' | 'kind'> & { id: string }

/** Adds a detection that was met, or replaces what is known of it. */
export function putDetection(
  store: Store,
  { zone, kind, id }: Place,
  record: { host: string; status: string },
  reports: number
) {
  store.run(
    `INSERT INTO detection (zone, kind, id, host, status, record, reports)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (zone, kind, id) DO UPDATE
     SET status = excluded.status, record = excluded.record, reports = excluded.reports`,
    ...[zone, kind, id, record.host.toLowerCase(), record.status, JSON.stringify(record), reports]
  )
}

/** A detection and how often it was met; undefined when there is none with this id. */
export function reportsOf<Found>(
  store: Store,
  { zone, kind, id }: Place
): { record: Found; reports: number } | undefined {
  const sql = 'SELECT record, reports FROM detection WHERE zone = ? AND kind = ? AND id = ?'
  const row = store.first<{ record: string; reports: number }>(sql, zone, kind, id)
  return row && { record: JSON.parse(row.record), reports: row.reports }
}

/** Whether a zone has fewer detections of a kind than this. */
export function roomFor(store: Store, { zone, kind }: Place, most: number): boolean {
  const sql = 'SELECT sum(count) AS total FROM detection_count WHERE zone = ? AND kind = ?'
  return (store.first<{ total: number | null }>(sql, zone, kind)!.total ?? 0) < most
}

/** Every script with this address, in whichever zone. */
export function scriptsAt<Found>(store: Store, url: string): (Place & { record: Found })[] {
  const rows = store.all<Place & { record: string }>(
    `SELECT zone, kind, id, record FROM detection
     WHERE kind = 'script' AND json_extract(record, '$.url') = ?`,
    url
  )
  return rows.map(({ record, ...place }) => ({ ...place, record: JSON.parse(record) }))
}

/** Replaces what is known of a detection, as often as it was met before. */
export function rewriteDetection(store: Store, { zone, kind, id }: Place, record: object) {
  const sql = 'UPDATE detection SET record = ? WHERE zone = ? AND kind = ? AND id = ?'
  store.run(sql, JSON.stringify(record), zone, kind, id)
}

/** The detection with this id, whatever its status. */
export function readDetection(store: Store, { zone, kind, id }: Place): Detection | undefined {
  const sql = 'SELECT record FROM detection WHERE zone = ? AND kind = ? AND id = ?'
  const row = store.first<{ record: string }>(sql, zone, kind, id)
  return row && JSON.parse(row.record)
}

/** One page of the detections a filter lets through, oldest first, and how many there are. */
export function listDetections(
  store: Store,
  filter: Filter,
  page: Page
): { records: Detection[]; total: number } {
  const { sql, values } = where(filter)
  const counts = store.all<BlockCount>(countsOf(sql), ...values)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const count = Math.max(0, Math.min(page.perPage, total - offset(page)))
  if (count === 0) return { records: [], total }
  const { block, skipped } = placeOf(counts, offset(page))
  const rows = store.all<{ record: string }>(pageOf(sql), ...values, block, count, skipped)
  return { records: rows.map(({ record }) => JSON.parse(record)), total }
}

/** How many detections of a filter are among the rows of one block. */
type BlockCount = { block: number; count: number }

/** The block that holds the first detection behind so many others, and how many to skip in it. */
function placeOf(counts: BlockCount[], before: number): { block: number; skipped: number } {
  let skipped = before
  for (const { block, count } of counts) {
    if (skipped < count) return { block, skipped }
    skipped -= count
  }
  throw new RangeError(`there are not ${before} detections to skip`)
}

/** The condition a filter comes to, and the values it is about. */
export function where({ zone, kind, status, hosts }: Filter): {
  sql: string
  values: SQLInputValue[]
} {
  const conditions = [
    { sql: 'zone = ? AND kind = ?', values: [zone, kind] },
    oneOf('status', status),
    oneOf('host', hosts)
  ].filter(({ sql }) => sql !== '')
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values)
  }
}

/** A single value is compared, so that an index can also give the order. */
function oneOf(column: string, values: readonly string[]): { sql: string; values: string[] } {
  if (values.length === 0) return { sql: '', values: [] }
  if (values.length === 1) return { sql: `${column} = ?`, values: [values[0]!] }
  // The last value is repeated up to a power of two, so that there are few different statements.
  const places = 2 ** Math.ceil(Math.log2(values.length))
  const all = [...values, ...Array<string>(places - values.length).fill(values.at(-1)!)]
  return { sql: `${column} IN (${all.map(() => '?').join(', ')})`, values: all }
}

/** The statement that tells, block by block, how many detections a condition lets through. */
export function countsOf(condition: string): string {
  return `SELECT block, sum(count) AS count FROM detection_count
    WHERE ${condition} GROUP BY block ORDER BY block`
}

/**
 * The statement for one page, from a block on: what comes before it takes no time, and of the block
 * itself only an index is read for what is skipped.
 */
export function pageOf(condition: string): string {
  const shown = `SELECT seq FROM detection WHERE ${condition} AND seq >= ? * ${blockRows}`
  return `SELECT record FROM detection WHERE seq IN (${shown} ORDER BY seq LIMIT ? OFFSET ?)
    ORDER BY seq`
}
