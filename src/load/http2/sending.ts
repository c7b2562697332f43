import { flags, headBytes, writeHead } from './frame.ts'
import { reserve } from './output.ts'
import type { Http2Session, Http2Stream } from './session.ts'

/** Sends bytes on a stream, as soon as the peer lets us; `isLast` ends our side. */
export function sendData<Work>(
  session: Http2Session<Work>,
  stream: Http2Stream<Work>,
  bytes: Buffer,
  isLast: boolean
): void {
  if (stream.unsent === undefined) session.senders.push(stream)
  stream.unsent = stream.unsent?.length ? Buffer.concat([stream.unsent, bytes]) : bytes
  stream.isLast = isLast
  pump(session)
}

/** Bytes that are made ready at a time, so that a large body is not copied as a whole. */
const atOnceBytes = 64 * 1_024

/** Writes what streams have to send, a frame of each in turn, as far as windows and room allow. */
export function pump<Work>(session: Http2Session<Work>): void {
  const { senders, output, isStuffed } = session
  if (isStuffed) return
  let stuck = 0
  while (stuck < senders.length && output.size < atOnceBytes) {
    const stream = senders.shift()!
    const isStuck = stream.unsent !== undefined && !sendFrame(session, stream)
    stuck = isStuck ? stuck + 1 : 0
    if (stream.unsent !== undefined) senders.push(stream)
  }
}

/** Writes the next DATA frame of a stream; false where its windows are shut. */
function sendFrame<Work>(session: Http2Session<Work>, stream: Http2Stream<Work>): boolean {
  const { output } = session
  const unsent = stream.unsent!
  const size = Math.min(unsent.length, stream.window, session.window, session.peerPayload)
  if (size <= 0 && unsent.length > 0) return false
  const isAll = size === unsent.length
  const flag = isAll && stream.isLast ? flags.endStream : 0
  const at = reserve(output, headBytes + size)
  unsent.copy(
    output.bytes,
    writeHead(output.bytes, at, { type: 0, size, flag, id: stream.id }),
    0,
    size
  )
  stream.unsent = isAll ? undefined : unsent.subarray(size)
  stream.hasEnded = flag > 0
  stream.window -= size
  session.window -= size
  stream.bytesOut += headBytes + size
  return true
}
