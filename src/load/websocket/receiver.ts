import { isUtf8 } from 'node:buffer'
import { createGrowingBytes } from '../growing-bytes.ts'
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

/** Frames that bring nothing, in a second; for eight of them a message pays. */
const [mostIdle, paidFor, secondMs] = [10_000, 8, 1_000]

/** What is not taken, and why in words. */
export type SocketRefused = { ending: SocketRefusal; because: string }

const malformed = (because: string): SocketRefused => ({ ending: 'malformed', because })

/** A frame whose head has been read. */
type Frame = { isLast: boolean; isCompressed: boolean; opcode: number; length: number }

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

/** What a whole head says, or why no frame of a server may begin so. */
function frameOf(head: Buffer): Frame | SocketRefused {
  const [first, second] = [head[0]!, head[1]!]
  const opcode = first & 15
  const [isLast, isCompressed] = [(first & 0x80) !== 0, (first & 0x40) !== 0]
  const length = lengthIn(head)
  const isControl = opcode >= 8
  const isKnown = isControl ? opcode <= opcodes.pong : opcode <= opcodes.binary
  if (!isKnown) return malformed(`a frame of the unknown kind ${opcode}`)
  if ((first & 0x30) !== 0) return malformed('a frame with a reserved bit')
  if ((second & 0x80) !== 0) return malformed('a masked frame')
  if (Number.isNaN(length)) return malformed('a length in more bytes than it takes')
  if (isControl && !isLast) return malformed('a control frame in fragments')
  if (isControl && isCompressed) return malformed('a packed control frame')
  if (isControl && length > 125) return malformed('a control frame of more than 125 bytes')
  return { isLast, isCompressed, opcode, length }
}

/** Takes frames of messages, and puts those together. */
function createMessages({
  ears,
  inflate,
  maxBytes
}: Pick<ReceiverOptions, 'ears' | 'inflate'> & { maxBytes: number }) {
  const body = createGrowingBytes()
  let begun: Frame | undefined
  const oversized = {
    ending: 'oversized',
    because: `a message of more than ${maxBytes} bytes`
  } as const
  const end = ({ opcode, isCompressed }: Frame): SocketRefused | undefined => {
    begun = undefined
    const payload = body.taken()
    const bytes = isCompressed ? inflate!(payload, maxBytes) : payload
    if (bytes === 'oversized') return oversized
    if (bytes === 'malformed') return malformed('a message that cannot be unpacked')
    if (opcode === opcodes.text && !isUtf8(bytes)) return malformed('text that is no UTF-8')
    ears.onMessage(bytes, opcode === opcodes.binary)
  }
  return {
    /** Why a frame may not follow what has come, or is too large with it. */
    begin(frame: Frame): SocketRefused | undefined {
      const isContinuation = frame.opcode === opcodes.continuation
      if (isContinuation && begun === undefined) return malformed('a continuation of nothing')
      if (!isContinuation && begun !== undefined) return malformed('a message within another')
      if (frame.isCompressed && isContinuation) return malformed('a continuation that says packed')
      if (frame.isCompressed && inflate === undefined)
        return malformed('a packed message, which was not agreed on')
      begun ??= frame
      return body.size() + frame.length > maxBytes ? oversized : undefined
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

/** Counts the frames that bring nothing: pings, pongs and fragments without a byte. */
function createPatience(now: () => number) {
  let since = now()
  let idle = 0
  return {
    onMessage() {
      idle = Math.max(0, idle - paidFor)
    },
    /** Why such a frame is one too many. */
    onIdle(opcode: number): SocketRefused | undefined {
      if (++idle <= mostIdle) return undefined
      const at = now()
      if (at - since >= secondMs) {
        since = at
        idle = 0
        return undefined
      }
      const kind = opcode === opcodes.ping ? 'pings' : opcode === opcodes.pong ? 'pongs' : undefined
      return malformed(`a flood of ${kind ?? 'empty fragments'}`)
    }
  }
}

/** What a receiver is made with. */
export type ReceiverOptions = {
  ears: SocketEars
  /** Milliseconds of any origin, by which floods are told. */
  now: () => number
  /** Unpacks a message; without it none may be packed. */
  inflate?: Inflate
  maxBytes?: number
}

/** Reads a server's frames (RFC 6455, section 5), of bytes cut anywhere. */
export type Receiver = {
  /** Takes bytes, good only until it returns; the first refusal is the last word. */
  take(bytes: Buffer, from: number, to: number): SocketRefused | undefined
}

/** A receiver at the beginning of a connection. */
export function createReceiver({
  ears,
  now,
  inflate,
  maxBytes = maxMessageBytes
}: ReceiverOptions): Receiver {
  const messages = createMessages({ ears, inflate, maxBytes })
  const patience = createPatience(now)
  const head = createGrowingBytes()
  const payload = createGrowingBytes()
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
  const beginFrame = (): SocketRefused | undefined => {
    const begun = frameOf(head.seen())
    head.drop()
    if ('because' in begun) return begun
    frame = begun
    left = begun.length
    return begun.opcode >= 8 ? undefined : messages.begin(begun)
  }
  const endFrame = ({ opcode, isLast, length }: Frame): SocketRefused | undefined => {
    frame = undefined
    if (opcode < 8) {
      if (isLast) patience.onMessage()
      return isLast || length > 0 ? messages.end(isLast) : patience.onIdle(opcode)
    }
    const flood = opcode === opcodes.close ? undefined : patience.onIdle(opcode)
    if (flood !== undefined) return flood
    if (!control(opcode, payload.taken(), ears))
      return malformed('a goodbye whose code or reason is none')
    if (opcode === opcodes.close) isOver = true
  }
  /** Goes on by one step, from `at`; returns how far it came, or why it did not. */
  const step = (bytes: Buffer, at: number, to: number): number | SocketRefused => {
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
        if (typeof next !== 'number') return next
        at = next
      }
      return undefined
    }
  }
}
