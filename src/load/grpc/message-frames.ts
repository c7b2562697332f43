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
}

/** What reads messages, each good only until `onMessage` returns. */
export function createMessageFrames(
  onMessage: (message: Buffer) => void,
  maxBytes = maxRpcBytes
): MessageFrames {
  let held = Buffer.alloc(0)
  let size = 0
  const hold = (bytes: Buffer) => {
    if (held.length < size + bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(256, 2 * (size + bytes.length)))
      held.copy(larger, 0, 0, size)
      held = larger
    }
    bytes.copy(held, size)
    size += bytes.length
  }
  /** Takes the whole messages among the bytes; returns how far they reach. */
  const read = (bytes: Buffer): number | 'malformed' | 'oversized' => {
    let at = 0
    while (bytes.length - at >= 5) {
      // Packed messages were not asked for.
      if (bytes[at] !== 0) return 'malformed'
      const length = bytes.readUInt32BE(at + 1)
      if (length > maxBytes) return 'oversized'
      if (bytes.length - at - 5 < length) break
      onMessage(bytes.subarray(at + 5, at + 5 + length))
      at += 5 + length
    }
    return at
  }
  return {
    take(bytes) {
      const isHeld = size > 0
      if (isHeld) hold(bytes)
      const all = isHeld ? held.subarray(0, size) : bytes
      const to = read(all)
      if (typeof to === 'string') return to
      const rest = all.subarray(to)
      if (isHeld) {
        held.copyWithin(0, to, size)
        size -= to
      } else if (rest.length > 0) hold(rest)
      return undefined
    },
    isWhole: () => size === 0
  }
}
