import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Time, timestamp } from '../kernel/time.ts'
import { type Destination, parseDestination } from './destination.ts'
import type { Job } from './job.ts'
import type { Amount, Batch, Spool } from './spool.ts'

/** A batch ready to be sent. */
export type Upload = {
  /** The batch's, and so the same however often it is sent. */
  name: string
  /** Lines of JSON, compressed with gzip unless they are plain. */
  content: Buffer
  isPlain?: boolean
  /** The day it is sent on, in UTC, as `20240108`. */
  day: string
}

/** Takes a upload to its destination; throws an Error that says why it did not arrive. */
export type Transport = (to: Destination, upload: Upload, signal: AbortSignal) => Promise<void>

/** The decisions on what is sent, and on what becomes of it then. */
export const handling = {
  /** The lines of a batch, as they are sent. */
  lines: ({ lines }: Batch) => lines,
  /** Whether these are sent as they are. */
  isPlain: false,
  /** What a batch is called where it is sent to. */
  nameOf: ({ name }: Batch) => name,
  /** Whether a destination that answers with this status has taken a batch. */
  hasTaken: (status: number): boolean => status >= 200 && status <= 299,
  afterArrival: (spool: Spool, batch: Batch, at: string) => spool.delivered(batch, at),
  /** A batch that did not arrive stays the next one. */
  afterFailure: (spool: Spool, batch: Batch, failure: { at: string; because: string }) =>
    spool.failed(batch, failure)
}

/** The shape of `handling`. */
export type Handling = typeof handling

const compressed = promisify(gzip)

type Parts = { rules: Handling; spool: Spool; time: Time; transport: Transport }

/** A function that sends a job's next batch, and says whether it arrived. */
export function sending({ rules, spool, time, transport }: Parts) {
  const at = () => timestamp(time.now())
  return async (job: Job, size: Amount, signal: AbortSignal): Promise<boolean> => {
    const batch = spool.next(job.id, size)
    if (batch === undefined) return false
    try {
      const [lines, { isPlain }] = [rules.lines(batch), rules]
      const upload = {
        name: rules.nameOf(batch),
        content: isPlain ? Buffer.from(lines) : await compressed(lines),
        isPlain,
        day: at().slice(0, 10).replaceAll('-', '')
      }
      await transport(parseDestination(job.destination_conf), upload, signal)
    } catch (error) {
      const because = (error as Error).message
      if (!signal.aborted) rules.afterFailure(spool, batch, { at: at(), because })
      return false
    }
    rules.afterArrival(spool, batch, at())
    return true
  }
}
