import { randomBytes } from 'node:crypto'

/** What a frame is (RFC 6455, section 5.2). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Masks that were drawn and are not used yet: drawing many at once costs less. */
let masks = Buffer.alloc(0)
let drawn = 0

function nextMask(): Buffer {
  if (drawn === masks.length) {
    masks = randomBytes(4_096)
    drawn = 0
  }
  drawn += 4
  return masks.subarray(drawn - 4, drawn)
}

/** The first bytes of a client's frame with a payload of that length, up to its mask. */
function headOf(first: number, length: number): Buffer {
  if (length < 126) return Buffer.from([first, 0x80 | length])
  if (length < 65_536) return Buffer.from([first, 0x80 | 126, length >> 8, length & 255])
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** A frame as a client sends it: masked by chance, and the last of its message if nobody says. */
export function clientFrame(
  opcode: number,
  payload: Buffer,
  { isCompressed = false, isLast = true }: { isCompressed?: boolean; isLast?: boolean } = {}
): Buffer {
  const head = headOf((isLast ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode, payload.length)
  const mask = nextMask()
  const at = head.length + 4
  const frame = Buffer.allocUnsafe(at + payload.length)
  head.copy(frame)
  mask.copy(frame, head.length)
  for (let i = 0; i < payload.length; i++) frame[at + i] = payload[i]! ^ mask[i & 3]!
  return frame
}

/** The payload of a frame that says goodbye: a code, and why in at most 123 bytes. */
export function closePayload(code: number, reason = ''): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason))
  payload.writeUInt16BE(code)
  payload.write(reason, 2)
  return payload
}

/** Whether a code may stand in a close frame (RFC 6455, section 7.4, and its registry). */
export function isCloseCode(code: number): boolean {
  if (code >= 3_000) return code < 5_000
  return code >= 1_000 && code <= 1_014 && code !== 1_004 && code !== 1_005 && code !== 1_006
}
