import type { Store } from '../kernel/store.ts'
import type { Line } from './matching.ts'

/** Records of a job that are delivered together, and again together until they have arrived. */
export type Batch = {
  job: number
  /** Says which records these are, and is the same however often they are sent. */
  name: string
  /** The number of the last record. */
  last: number
  /** Lines of JSON. */
  lines: string
}

/** How many records, and bytes of lines. */
export type Amount = { records: number; bytes: number }

type Row = { first: number; last: number; bytes: number; lines: string }

/** A row has at most this many lines, so that batches can be cut to their size. */
const mostLinesARow = 100

const nothing: Amount = { records: 0, bytes: 0 }

/** Records on their way to their destinations, kept in the store until they have arrived. */
export function openSpool(store: Store, { spoolBytes }: { spoolBytes: number }) {
  const waiting = new Map<number, Amount>()
  const count = (job: number, { records, bytes }: Amount) => {
    const before = waiting.get(job) ?? nothing
    const after = { records: before.records + records, bytes: before.bytes + bytes }
    if (after.records > 0) waiting.set(job, after)
    else waiting.delete(job)
  }
  for (const { job, ...amount } of allWaiting(store)) count(job, amount)

  return {
    /** How much waits for each job for which something does. */
    waiting: waiting as ReadonlyMap<number, Amount>,
    /**
     * Keeps lines, all at once, and returns the jobs for which something waits now. Those of a job
     * for which there is no room are counted as lost.
     */
    add(lines: readonly Line[]): number[] {
      const byJob = [...Map.groupBy(lines, ({ job }) => job)]
      const kept = store.transaction(() =>
        byJob.map(([job, those]) => {
          const texts = those.map(({ line }) => line)
          const roomBytes = spoolBytes - (waiting.get(job)?.bytes ?? 0)
          return { job, amount: keep(store, job, { texts, roomBytes }) }
        })
      )
      for (const { job, amount } of kept) count(job, amount)
      return byJob.map(([job]) => job).filter((job) => waiting.has(job))
    },
    /** The oldest records that wait for a job; the same ones until they are delivered. */
    next(job: number, size: Amount): Batch | undefined {
      const end = sealedEnd(store, job) ?? seal(store, job, size)
      return end === undefined ? undefined : batchUpTo(store, job, end)
    },
    /** Forgets a batch that has arrived, at a time given as RFC 3339. */
    delivered({ job, last }: Batch, at: string) {
      for (const { first, last: end, bytes } of store.transaction(() => {
        store.run(arrived, at, job)
        return store.all<Row>(
          'DELETE FROM logpush_spool WHERE job = ? AND last <= ? RETURNING first, last, bytes',
          ...[job, last]
        )
      }))
        count(job, { records: first - end - 1, bytes: -bytes })
    },
    /** Remembers why a batch did not arrive; it stays the next one. */
    failed({ job }: Batch, { at, because }: { at: string; because: string }) {
      const sql = 'UPDATE logpush_job SET last_error = ?, error_message = ? WHERE id = ?'
      store.run(sql, at, because, job)
    },
    /** Forgets how much waited for a job that is gone. */
    forget: (job: number) => void waiting.delete(job)
  }
}

/** The shape of what `openSpool` returns. */
export type Spool = ReturnType<typeof openSpool>

const arrived = `
  UPDATE logpush_job SET sealed = NULL, last_complete = ?, error_message = NULL WHERE id = ?`

function allWaiting(store: Store) {
  return store.all<Amount & { job: number }>(
    `SELECT job, sum(last - first + 1) AS records, sum(bytes) AS bytes
     FROM logpush_spool GROUP BY job`
  )
}

/** Numbers the lines of a job and keeps them, where there is room; nothing when the job is gone. */
function keep(
  store: Store,
  job: number,
  { texts, roomBytes }: { texts: readonly string[]; roomBytes: number }
): Amount {
  const numbered = store.first<{ numbered: number }>(
    'UPDATE logpush_job SET numbered = numbered + ? WHERE id = ? RETURNING numbered',
    ...[texts.length, job]
  )?.numbered
  if (numbered === undefined) return nothing
  const bytes = Buffer.byteLength(texts.join(''))
  if (bytes > roomBytes) {
    store.run('UPDATE logpush_job SET lost = lost + ? WHERE id = ?', texts.length, job)
    return nothing
  }
  for (let at = 0; at < texts.length; at += mostLinesARow) {
    const part = texts.slice(at, at + mostLinesARow)
    const first = numbered - texts.length + at + 1
    const lines = part.join('')
    const row = [first, first + part.length - 1, Buffer.byteLength(lines), lines]
    store.run('INSERT INTO logpush_spool VALUES (?, ?, ?, ?, ?)', job, ...row)
  }
  return { records: texts.length, bytes }
}

/** Where the batch ends that is being delivered already, if one is. */
function sealedEnd(store: Store, job: number): number | undefined {
  const sql = 'SELECT sealed FROM logpush_job WHERE id = ?'
  return store.first<{ sealed: number | null }>(sql, job)?.sealed ?? undefined
}

/** Makes a batch of the oldest rows, as many as fit into it and at least one; where it ends. */
function seal(store: Store, job: number, size: Amount): number | undefined {
  const rows = store.all<Omit<Row, 'lines'>>(
    'SELECT first, last, bytes FROM logpush_spool WHERE job = ? ORDER BY first LIMIT ?',
    ...[job, size.records]
  )
  const left = { ...size }
  const fitting = rows.findIndex(({ first, last, bytes }) => {
    left.records -= last - first + 1
    left.bytes -= bytes
    return left.records < 0 || left.bytes < 0
  })
  const end = rows[fitting < 0 ? rows.length - 1 : Math.max(0, fitting - 1)]?.last
  if (end !== undefined) store.run('UPDATE logpush_job SET sealed = ? WHERE id = ?', end, job)
  return end
}

function batchUpTo(store: Store, job: number, last: number): Batch {
  const { series } = store.first<{ series: string }>(
    'SELECT series FROM logpush_job WHERE id = ?',
    job
  )!
  const rows = store.all<Pick<Row, 'first' | 'lines'>>(
    'SELECT first, lines FROM logpush_spool WHERE job = ? AND last <= ? ORDER BY first',
    ...[job, last]
  )
  const name = [series, padded(rows[0]!.first), padded(last)].join('-')
  return { job, name, last, lines: rows.map(({ lines }) => lines).join('') }
}

function padded(number: number): string {
  return String(number).padStart(12, '0')
}
