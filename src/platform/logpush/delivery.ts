import type { Clock } from '../../clock.ts'
import type { Random } from '../../random.ts'
import type { Job } from './job.ts'
import type { LogpushLimits } from './limits.ts'
import type { Amount, Spool } from './spool.ts'

/** How often batches are sent, and of which size. */
export type Pace = Pick<
  LogpushLimits,
  'retryMs' | 'intervalSeconds' | 'batchRecords' | 'batchBytes'
>

type Parts = {
  limits: Pace
  spool: Pick<Spool, 'waiting' | 'forget'>
  clock: Clock
  chance: Random
  /** The job with this id; undefined when it is gone. */
  jobOf: (id: number) => Job | undefined
  /** Sends a job's next batch, of this size; whether it arrived. */
  send: (job: Job, size: Amount, signal: AbortSignal) => Promise<boolean>
}

/** What goes on for one job while something waits for it. */
type Lane = {
  /** Ends the wait for the next attempt. */
  hurry: AbortController
  /** The attempt that is under way or comes next: whether a batch arrived. */
  attempt: PromiseWithResolvers<boolean>
  isSending: boolean
  size: Amount
}

/** Delivers what waits in the spool: each job's batches one after the other, jobs side by side. */
export function delivery({ limits, spool, clock, chance, jobOf, send }: Parts) {
  const lanes = new Map<number, Lane>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  const isFull = (id: number, size: Amount) => exceeds(spool.waiting.get(id), size)

  /** Sends until nothing waits any more, or the job is gone or off. */
  async function run(id: number, lane: Lane) {
    for (let failures = 0; spool.waiting.has(id); ) {
      const job = jobOf(id)
      if (job === undefined) spool.forget(id)
      if (!job?.enabled) return
      lane.size = sizeOf(job, limits)
      const isDue = failures === 0 && isFull(id, lane.size)
      const waitMs = isDue ? 0 : pauseMs({ job, failures, limits, chance })
      await clock.until(clock.now() + waitMs, lane.hurry.signal)
      if (closing.signal.aborted) return
      lane.hurry = new AbortController()
      lane.isSending = true
      const isArrived = await send(jobOf(id) ?? job, lane.size, closing.signal)
      lane.isSending = false
      failures = isArrived ? 0 : failures + 1
      settle(lane, isArrived)
    }
  }

  function start(id: number): Lane {
    const lane = newLane()
    lanes.set(id, lane)
    const ended = run(id, lane)
      .catch((error) => process.emitWarning(error))
      .finally(() => {
        lanes.delete(id)
        running.delete(ended)
        lane.attempt.resolve(false)
      })
    running.add(ended)
    return lane
  }

  /** Sees to it that what waits for a job is delivered when it is time to. */
  function wake(id: number) {
    const lane = lanes.get(id) ?? start(id)
    if (!lane.isSending && isFull(id, lane.size)) lane.hurry.abort()
  }

  for (const id of spool.waiting.keys()) wake(id)
  return {
    wake,
    /** Delivers what waits for a job now, batch by batch, until one does not arrive. */
    async deliver(id: number) {
      const before = lanes.get(id)
      if (before?.isSending) await before.attempt.promise
      for (let isArrived = true; isArrived && spool.waiting.has(id); ) {
        const lane = lanes.get(id) ?? start(id)
        const { promise } = lane.attempt
        lane.hurry.abort()
        isArrived = await promise
      }
    },
    /** Ends all attempts; what has not arrived stays in the spool. */
    async close() {
      closing.abort()
      for (const { hurry } of lanes.values()) hurry.abort()
      await Promise.all(running)
    }
  }
}

/** Says how an attempt went to those who wait for it; from then on the next one is waited for. */
function settle(lane: Lane, isArrived: boolean) {
  const { resolve } = lane.attempt
  lane.attempt = Promise.withResolvers()
  resolve(isArrived)
}

function newLane(): Lane {
  return {
    hurry: new AbortController(),
    attempt: Promise.withResolvers(),
    isSending: false,
    size: { records: Infinity, bytes: Infinity }
  }
}

/** How long records wait for more or, after failures, twice as long each time, give or take. */
function pauseMs(given: { job: Job; failures: number; limits: Pace; chance: Random }): number {
  const { job, failures, limits, chance } = given
  if (failures === 0)
    return 1_000 * (job.max_upload_interval_seconds ?? limits.intervalSeconds.usual)
  const { first, most } = limits.retryMs
  return Math.min(most, first * 2 ** (failures - 1)) * (0.5 + chance() / 2)
}

function sizeOf(job: Job, { batchRecords, batchBytes }: Pace): Amount {
  const { max_upload_records: records, max_upload_bytes: bytes } = job
  return { records: records ?? batchRecords, bytes: bytes ?? batchBytes }
}

function exceeds(amount: Amount | undefined, size: Amount): boolean {
  return amount !== undefined && (amount.records >= size.records || amount.bytes >= size.bytes)
}
