import { createGrowingBytes } from '../growing-bytes.ts'

/** A message as it goes over a gRPC stream: not packed, and its length before it. */
export function messageFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(5 + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, 5)
  return frame
}

/** Bytes of one message that are taken at most, as gRPC's own clients do. */
export const maxRpcBytes = 4 * 1_024 * 1_024

/** Reads the messages of a gRPC stream, of bytes cut anywhere. */
export type MessageFrames = {
  /** Takes bytes, good only until it returns; says why they are refused, where they are. */
  take(bytes: Buffer): 'malformed' | 'oversized' | undefined
  /** Whether what has come ends with a message. */
  isWhole(): boolean
  /** Why bytes were refused, in words. */
  fault(): string | undefined
}

/** What reads messages, each good only until `onMessage` returns. */
export function createMessageFrames(
  onMessage: (message: Buffer) => void,
  maxBytes = maxRpcBytes
): MessageFrames {
  const held = createGrowingBytes()
  let fault: string | undefined
  /** Takes the whole messages among the bytes; returns how far they reach. */
  const read = (bytes: Buffer): number | 'malformed' | 'oversized' => {
    let at = 0
    while (bytes.length - at >= 5) {
      if (bytes[at] !== 0) {
        const isPacked = bytes[at] === 1
        fault = isPacked ? 'a packed message, which was not asked for' : 'what is no gRPC message'
        return 'malformed'
      }
      const length = bytes.readUInt32BE(at + 1)
      if (length > maxBytes) {
        fault = `a message of more than ${maxBytes} bytes`
        return 'oversized'
      }
      if (bytes.length - at - 5 < length) break
      onMessage(bytes.subarray(at + 5, at + 5 + length))
      at += 5 + length
    }
    return at
  }
  return {
    take(bytes) {
      const isHeld = held.size() > 0
      if (isHeld) held.add(bytes)
      const to = read(isHeld ? held.seen() : bytes)
      if (typeof to === 'string') return to
      if (isHeld) held.drop(to)
      else if (to < bytes.length) held.add(bytes, to)
      return undefined
    },
    isWhole: () => held.size() === 0,
    fault: () => fault
  }
}
