/** The kinds of frames (RFC 9113, section 6), by number. */
export const frames = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9
} as const

/** Their names, by number. */
export const frameNames = [
  ...['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS', 'PUSH_PROMISE', 'PING'],
  ...['GOAWAY', 'WINDOW_UPDATE', 'CONTINUATION']
] as const

/** Flags of frames; what is an end of a stream is an acknowledgement in SETTINGS and PING. */
export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const

/** Names of why a stream or connection is ended (RFC 9113, section 7), by number. */
export const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED'
] as const

/** The name of why a stream or connection is ended. */
export type ErrorName = (typeof errorNames)[number]

/** The number of an error by its name. */
export function errorCode(name: ErrorName): number {
  return errorNames.indexOf(name)
}

/** The name of an error by its number, or that number. */
export function errorName(code: number): string {
  return errorNames[code] ?? `error 0x${code.toString(16)}`
}

/** Settings that a peer may give (RFC 9113, section 6.5.2), by number. */
export const settings = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6
} as const

/** What every client says first. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** Bytes before the payload of each frame. */
export const headBytes = 9

/** The largest payload of a frame, where nobody allows more; we do not. */
export const maxPayload = 16_384

/** The largest window there can be. */
export const maxWindow = 2 ** 31 - 1

/** Writes what stands before the payload of a frame; returns where that begins. */
export function writeHead(
  into: Buffer,
  at: number,
  { type, size, flag = 0, id }: { type: number; size: number; flag?: number; id: number }
): number {
  into[at] = size >>> 16
  into[at + 1] = size >>> 8
  into[at + 2] = size
  into[at + 3] = type
  into[at + 4] = flag
  return writeUint32(into, at + 5, id)
}

/** Writes four bytes; returns where they end. */
export function writeUint32(into: Buffer, at: number, value: number): number {
  into[at] = value >>> 24
  into[at + 1] = value >>> 16
  into[at + 2] = value >>> 8
  into[at + 3] = value
  return at + 4
}

/** Four bytes as a number. */
export function readUint32(bytes: Buffer, at: number): number {
  return (
    ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  )
}

/** A whole frame. */
export function frame(type: number, id: number, payload: Uint8Array, flag = 0): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + payload.length)
  bytes.set(payload, writeHead(bytes, 0, { type, size: payload.length, flag, id }))
  return bytes
}

/** A SETTINGS frame that gives these. */
export function settingsFrame(given: Partial<Record<keyof typeof settings, number>>): Buffer {
  const all = Object.entries(given) as [keyof typeof settings, number][]
  const payload = Buffer.alloc(all.length * 6)
  all.forEach(([name, value], index) => {
    payload.writeUInt16BE(settings[name], index * 6)
    payload.writeUInt32BE(value, index * 6 + 2)
  })
  return frame(frames.settings, 0, payload)
}

/** A frame whose payload is these numbers of four bytes each. */
export function wordsFrame(type: number, id: number, ...words: number[]): Buffer {
  const payload = Buffer.allocUnsafe(words.length * 4)
  words.forEach((word, index) => void writeUint32(payload, index * 4, word))
  return frame(type, id, payload)
}
