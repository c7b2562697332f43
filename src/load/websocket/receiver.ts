import { isUtf8 } from 'node:buffer'
import { isCloseCode, opcodes } from './frame.ts'
import type { Inflate, SocketRefusal } from './message-deflate.ts'

/** Who hears what a server sends. */
export type SocketEars = {
  onMessage(bytes: Buffer, isBinary: boolean): void
  onPing(payload: Buffer): void
  onPong(payload: Buffer): void
  /** The server says goodbye, by a code if it gives one; nothing is heard after it. */
  onGoodbye(code: number | undefined, reason: string): void
}

/** Bytes of a message, unpacked, that are taken at most. */
export const maxMessageBytes = 16 * 1_024 * 1_024

/** A frame whose head has been read. */
type Frame = { isLast: boolean; isCompressed: boolean; opcode: number; length: number }

/** Bytes put together as they come. */
function createBytes() {
  let bytes = Buffer.alloc(0)
  let size = 0
  return {
    size: () => size,
    add(more: Buffer, from: number, to: number): void {
      const needed = size + to - from
      if (bytes.length < needed) {
        const larger = Buffer.allocUnsafeSlow(Math.max(64, needed, Math.min(needed * 2, 1 << 24)))
        bytes.copy(larger, 0, 0, size)
        bytes = larger
      }
      more.copy(bytes, size, from, to)
      size = needed
    },
    /** What was added, as it lies there: good until more is added. */
    seen: () => bytes.subarray(0, size),
    /** What was added, as a copy; nothing is left of it here. */
    taken(): Buffer {
      const all = Buffer.from(bytes.subarray(0, size))
      bytes = Buffer.alloc(0)
      size = 0
      return all
    },
    clear(): void {
      size = 0
    }
  }
}

/** How many bytes a frame's head has, by its first two; servers mask nothing. */
function headLength(second: number): number {
  return (second & 127) === 127 ? 10 : (second & 127) === 126 ? 4 : 2
}

/** The length in a frame's head; NaN where fewer bytes would have said it. */
function lengthIn(head: Buffer): number {
  const short = head[1]! & 127
  if (short < 126) return short
  const length = short === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
  return length < (short === 126 ? 126 : 65_536) ? Number.NaN : length
}

/** What a whole head says; undefined where no frame of a server may begin so. */
function frameOf(head: Buffer): Frame | undefined {
  const [first, second] = [head[0]!, head[1]!]
  const opcode = first & 15
  const [isLast, isCompressed] = [(first & 0x80) !== 0, (first & 0x40) !== 0]
  const length = lengthIn(head)
  const isControl = opcode >= 8
  const isKnown = isControl ? opcode <= opcodes.pong : opcode <= opcodes.binary
  if (!isKnown || (first & 0x30) !== 0 || (second & 0x80) !== 0 || Number.isNaN(length)) return
  if (isControl && (!isLast || isCompressed || length > 125)) return
  return { isLast, isCompressed, opcode, length }
}

/** Takes frames of messages, and puts those together. */
function createMessages({
  ears,
  inflate,
  maxBytes
}: Pick<ReceiverOptions, 'ears' | 'inflate'> & { maxBytes: number }) {
  const body = createBytes()
  let begun: Frame | undefined
  const end = ({ opcode, isCompressed }: Frame): SocketRefusal | undefined => {
    begun = undefined
    const payload = body.taken()
    const bytes = isCompressed ? inflate!(payload, maxBytes) : payload
    if (bytes === 'malformed' || bytes === 'oversized') return bytes
    if (opcode === opcodes.text && !isUtf8(bytes)) return 'malformed'
    ears.onMessage(bytes, opcode === opcodes.binary)
  }
  return {
    /** Whether a frame may follow what has come, and is not too large with it. */
    begin(frame: Frame): SocketRefusal | undefined {
      const isContinuation = frame.opcode === opcodes.continuation
      if (isContinuation !== (begun !== undefined)) return 'malformed'
      if (frame.isCompressed && (isContinuation || inflate === undefined)) return 'malformed'
      begun ??= frame
      return body.size() + frame.length > maxBytes ? 'oversized' : undefined
    },
    add: body.add,
    end: (isLast: boolean) => (isLast ? end(begun!) : undefined)
  }
}

/** Acts on a whole control frame; false where it is malformed. */
function control(opcode: number, payload: Buffer, ears: SocketEars): boolean {
  if (opcode === opcodes.ping) ears.onPing(payload)
  else if (opcode === opcodes.pong) ears.onPong(payload)
  else {
    const code = payload.length < 2 ? undefined : payload.readUInt16BE(0)
    const reason = payload.subarray(2)
    const isProper =
      payload.length === 0 || (code !== undefined && isCloseCode(code) && isUtf8(reason))
    if (!isProper) return false
    ears.onGoodbye(code, reason.toString())
  }
  return true
}

/** What a receiver is made with. */
export type ReceiverOptions = {
  ears: SocketEars
  /** Unpacks a message; without it none may be packed. */
  inflate?: Inflate
  maxBytes?: number
}

/** Reads a server's frames (RFC 6455, section 5), of bytes cut anywhere. */
export type Receiver = {
  /** Takes bytes, good only until it returns; the first refusal is the last word. */
  take(bytes: Buffer, from: number, to: number): SocketRefusal | undefined
}

/** A receiver at the beginning of a connection. */
export function createReceiver({
  ears,
  inflate,
  maxBytes = maxMessageBytes
}: ReceiverOptions): Receiver {
  const messages = createMessages({ ears, inflate, maxBytes })
  const head = createBytes()
  const payload = createBytes()
  let frame: Frame | undefined
  let left = 0
  let isOver = false

  /** Reads on in a frame's head; returns how far it came. */
  const readHead = (bytes: Buffer, at: number, to: number): number => {
    const wanted = head.size() < 2 ? 2 : headLength(head.seen()[1]!)
    const end = Math.min(to, at + wanted - head.size())
    head.add(bytes, at, end)
    return end
  }
  const isHeadThere = () => head.size() >= 2 && head.size() === headLength(head.seen()[1]!)
  const beginFrame = (): SocketRefusal | undefined => {
    frame = frameOf(head.seen())
    head.clear()
    if (frame === undefined) return 'malformed'
    left = frame.length
    return frame.opcode >= 8 ? undefined : messages.begin(frame)
  }
  const endFrame = ({ opcode, isLast }: Frame): SocketRefusal | undefined => {
    frame = undefined
    if (opcode < 8) return messages.end(isLast)
    if (!control(opcode, payload.taken(), ears)) return 'malformed'
    if (opcode === opcodes.close) isOver = true
  }
  /** Goes on by one step, from `at`; returns how far it came, or why it did not. */
  const step = (bytes: Buffer, at: number, to: number): number | SocketRefusal => {
    if (frame === undefined) {
      const end = readHead(bytes, at, to)
      const refusal = isHeadThere() ? beginFrame() : undefined
      if (refusal !== undefined) return refusal
      return frame === undefined || left > 0 ? end : (endFrame(frame) ?? end)
    }
    const end = Math.min(to, at + left)
    const body = frame.opcode < 8 ? messages : payload
    body.add(bytes, at, end)
    left -= end - at
    return left > 0 ? end : (endFrame(frame) ?? end)
  }
  return {
    take(bytes, from, to) {
      for (let at = from; at < to && !isOver; ) {
        const next = step(bytes, at, to)
        if (typeof next === 'string') return next
        at = next
      }
      return undefined
    }
  }
}
