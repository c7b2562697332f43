import type { Ending, Sample } from '../figures/sample.ts'
import { maxKeptBytes } from '../http1/body.ts'
import type { BodyTaken } from '../requests/body-sink.ts'
import { emptyFlight, type Flight } from '../transports/request-queue.ts'
import type { Http2Stream } from './session.ts'

/** What a stream of a load carries: its request, when its answer began, what is kept of that. */
export type Carried = Flight & { first: number; body: Buffer[] | undefined; kept: number }

/** A stream that carries nothing yet. */
export function emptyCarried(): Carried {
  return { ...emptyFlight(), first: 0, body: undefined, kept: 0 }
}

/** Puts a request on a stream. */
export function board(carried: Carried, { prepared, due, token }: Flight, sent: number): void {
  carried.prepared = prepared
  carried.due = due
  carried.token = token
  carried.sent = sent
  carried.first = sent
  carried.kept = 0
  carried.body = prepared.keeps ? [] : undefined
}

/** Keeps a part of the body, where it is wanted, or hands it on; says what its taker said. */
export function keep(
  { work, head }: Http2Stream<Carried>,
  bytes: Buffer,
  at: number,
  end: number
): BodyTaken {
  const { sink } = work.prepared
  if (sink !== undefined) {
    const { status, fields } = head!
    return sink.take(bytes.subarray(at, end), { status, headers: fields })
  }
  if (work.body === undefined || work.kept >= maxKeptBytes) return 'more'
  // The bytes lie in a buffer that every connection reads into, hence the copy.
  work.body.push(Buffer.from(bytes.subarray(at, end)))
  work.kept += end - at
  return 'more'
}

/** Makes a sample of how a request ended. */
export function fill(
  sample: Sample,
  { work, head, trailers, bytesIn, bytesOut }: Http2Stream<Carried>,
  ending: Ending,
  end: number
): void {
  const { prepared, body } = work
  sample.ending = ending
  sample.status = ending === 'answered' ? head!.status : 0
  sample.token = work.token
  sample.route = prepared.route
  sample.due = work.due
  sample.sent = work.sent
  sample.first = work.first
  sample.end = end
  sample.bytesSent = bytesOut
  sample.bytesReceived = bytesIn
  sample.headers = prepared.keeps ? (head?.fields ?? []) : undefined
  sample.trailers = prepared.keeps ? trailers?.fields : undefined
  sample.body = body
  work.body = undefined
}
