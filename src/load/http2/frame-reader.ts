import { headBytes, maxPayload, readUint32 } from './frame.ts'

/** A frame, its payload between `at` and `end`. */
export type Frame = {
  type: number
  flag: number
  id: number
  bytes: Buffer
  at: number
  end: number
}

/** Takes one frame, good until it returns; false where nothing more is read. */
export type TakeFrame = (frame: Frame) => boolean

/** Cuts what arrives into frames: whole ones are read where they lie, cut ones are put together. */
export type FrameReader = {
  /** The beginning of a frame whose end has not come yet, in the first `carried` bytes. */
  carry: Buffer
  carried: number
  /** The same one again and again. */
  frame: Frame
}

const nothing = Buffer.alloc(0)

/** A reader to which nothing has come yet. */
export function createFrameReader(): FrameReader {
  return {
    carry: nothing,
    carried: 0,
    frame: { type: 0, flag: 0, id: 0, bytes: nothing, at: 0, end: 0 }
  }
}

const sizeAt = (bytes: Buffer, at: number) =>
  (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!

/** Reads the first `size` bytes; false once a frame was too large, or not taken. */
export function readFrames(
  reader: FrameReader,
  bytes: Buffer,
  size: number,
  take: TakeFrame
): boolean {
  let at = 0
  while (reader.carried > 0 && at < size) {
    const more = Math.min(missingBytes(reader), size - at)
    carry(reader, bytes, at, at + more)
    at += more
    if (reader.carried < headBytes) continue
    const missing = missingBytes(reader)
    if (missing < 0) return false
    if (missing > 0) continue
    const end = reader.carried
    reader.carried = 0
    if (!takeAt(reader, reader.carry, 0, end, take)) return false
  }
  while (size - at >= headBytes) {
    const payload = sizeAt(bytes, at)
    if (payload > maxPayload) return false
    const end = at + headBytes + payload
    if (end > size) break
    if (!takeAt(reader, bytes, at, end, take)) return false
    at = end
  }
  if (at < size) carry(reader, bytes, at, size)
  return true
}

/** How much is missing of the frame that has begun, or of its head; −1 where it is too large. */
function missingBytes({ carry, carried }: FrameReader): number {
  if (carried < headBytes) return headBytes - carried
  const payload = sizeAt(carry, 0)
  return payload > maxPayload ? -1 : headBytes + payload - carried
}

function takeAt(
  { frame }: FrameReader,
  bytes: Buffer,
  at: number,
  end: number,
  take: TakeFrame
): boolean {
  frame.type = bytes[at + 3]!
  frame.flag = bytes[at + 4]!
  // The first bit means nothing.
  frame.id = readUint32(bytes, at + 5) & 0x7fffffff
  frame.bytes = bytes
  frame.at = at + headBytes
  frame.end = end
  return take(frame)
}

function carry(reader: FrameReader, bytes: Buffer, from: number, to: number): void {
  const needed = reader.carried + to - from
  if (reader.carry.length < needed) {
    const larger = Buffer.allocUnsafeSlow(
      Math.min(headBytes + maxPayload, Math.max(512, needed * 2))
    )
    reader.carry.copy(larger, 0, 0, reader.carried)
    reader.carry = larger
  }
  bytes.copy(reader.carry, reader.carried, from, to)
  reader.carried = needed
}
