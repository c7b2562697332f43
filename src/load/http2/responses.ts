import { flags, frames, wordsFrame } from './frame.ts'
import type { Frame } from './frame-reader.ts'
import { decodeBlock, maxBlockBytes } from './header-decoder.ts'
import { append } from './output.ts'
import { bringsSomething, fail, isLate, malformed, refuse } from './refusal.ts'
import { close, dropStream, type Http2Session, type Http2Stream, streamOf } from './session.ts'

/** A window that has taken so much is opened again. */
const creditAt = 2 ** 29

/** Leaves out the padding; −1 where there is more of it than of anything. */
function withoutPadding({ flag, bytes, at, end }: Frame): number {
  if (!(flag & flags.padded)) return end
  return at < end && bytes[at]! < end - at ? end - bytes[at]! : -1
}

/** Takes in a part of a body. */
export function takeData<Work>(session: Http2Session<Work>, given: Frame): boolean {
  const { id, flag, bytes, at, end } = given
  const last = withoutPadding(given)
  if (last < 0) return malformed(session, 'more padding than there is')
  session.credit += end - at
  if (session.credit >= creditAt) {
    append(session.output, wordsFrame(frames.windowUpdate, 0, session.credit))
    session.credit = 0
  }
  const stream = streamOf(session, id)
  if (stream === undefined) return isLate(session, id)
  const first = flag & flags.padded ? at + 1 : at
  const isLast = (flag & flags.endStream) !== 0
  stream.bytesIn += end - at + 9
  if (stream.head === undefined) return refuse(session, stream, 'a body before its head')
  stream.received += last - first
  stream.credit += end - at
  if (last > first || isLast) bringsSomething(session)
  if (last > first) session.events.onData(stream, bytes, first, last)
  // Whoever took it may have had enough.
  if (stream.id !== id) return true
  if (isLast) return complete(session, stream)
  if (stream.credit >= creditAt) {
    append(session.output, wordsFrame(frames.windowUpdate, id, stream.credit))
    stream.credit = 0
  }
  return true
}

function complete<Work>(session: Http2Session<Work>, stream: Http2Stream<Work>): true {
  const { head, received, bodiless } = stream
  const { status, length } = head!
  const isBare = bodiless || status === 204 || status === 304
  if (isBare ? received > 0 : length >= 0 && length !== received) {
    return refuse(session, stream, 'a body of another length than its head says')
  }
  session.active--
  session.events.onEnd(stream)
  // Who answers before it was asked to the end need not hear the rest.
  if (stream.hasEnded) close(stream)
  else dropStream(session, stream, 'CANCEL')
  return true
}

/** Takes in a header block, or its beginning. */
export function takeHeaders<Work>(session: Http2Session<Work>, given: Frame): boolean {
  const { id, flag, bytes } = given
  const last = withoutPadding(given)
  let first = flag & flags.padded ? given.at + 1 : given.at
  if (flag & flags.priority) first += 5
  if (last < first) return malformed(session, 'more padding than there is')
  if (flag & flags.endHeaders) {
    given.at = first
    given.end = last
    return takeBlock(session, given)
  }
  session.blockId = id
  session.blockFlag = flag
  session.blockBytes = 0
  return gather(session, bytes, first, last)
}

function gather(session: Http2Session<any>, bytes: Buffer, from: number, to: number): boolean {
  const needed = session.blockBytes + to - from
  if (needed > maxBlockBytes) {
    return fail(session, 'ENHANCE_YOUR_CALM', `headers of more than ${maxBlockBytes} bytes`)
  }
  if (session.block.length < needed) {
    const larger = Buffer.allocUnsafeSlow(Math.min(maxBlockBytes, needed * 2))
    session.block.copy(larger, 0, 0, session.blockBytes)
    session.block = larger
  }
  bytes.copy(session.block, session.blockBytes, from, to)
  session.blockBytes = needed
  return true
}

/** Takes in more of a header block. */
export function takeContinuation<Work>(session: Http2Session<Work>, given: Frame): boolean {
  const { id, flag, bytes, at, end } = given
  if (session.blockId === 0 || id !== session.blockId) {
    return malformed(session, 'a CONTINUATION of nothing')
  }
  if (!gather(session, bytes, at, end)) return false
  if (!(flag & flags.endHeaders)) return true
  const { block, blockBytes, blockFlag } = session
  session.blockId = 0
  // The largest one there was is not kept for the rest of a long load.
  session.block = Buffer.alloc(0)
  given.flag = blockFlag
  given.bytes = block
  given.at = 0
  given.end = blockBytes
  return takeBlock(session, given)
}

/** Takes in a whole header block: an interim head, the final one, or trailers. */
function takeBlock<Work>(
  session: Http2Session<Work>,
  { flag, id, bytes, at, end }: Frame
): boolean {
  const block = decodeBlock(session.decoder, bytes, at, end)
  if (typeof block === 'string') return fail(session, 'COMPRESSION_ERROR', block)
  const stream = streamOf(session, id)
  if (stream === undefined) return isLate(session, id)
  stream.bytesIn += end - at + 9
  const isLast = (flag & flags.endStream) !== 0
  if (block.fault !== undefined) return refuse(session, stream, block.fault)
  const { status } = block
  if (stream.head !== undefined) {
    if (status > 0 || !isLast) return refuse(session, stream, 'a second head')
    stream.trailers = block
    bringsSomething(session)
    return complete(session, stream)
  }
  if (status === 0) return refuse(session, stream, 'a head without :status')
  if (status < 200) {
    const isInterim = status !== 101 && !isLast && block.length < 0
    return isInterim || refuse(session, stream, 'an interim head that is none')
  }
  stream.head = block
  bringsSomething(session)
  session.events.onHead(stream)
  return isLast && stream.id === id ? complete(session, stream) : true
}
