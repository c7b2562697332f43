import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'

/** Why what a server sends is not taken: it breaks the protocol, or is larger than is taken. */
export type SocketRefusal = 'malformed' | 'oversized'

/** Unpacks a message of at most so many bytes. */
export type Inflate = (packed: Buffer, maxBytes: number) => Buffer | SocketRefusal

/**
 * What is offered, so that each message is packed by itself (RFC 7692, section 7.1.1): what is
 * taken over from one to the next would have to be kept for every connection.
 */
export const deflateOffer =
  'permessage-deflate; client_no_context_takeover; server_no_context_takeover'

/** What every packed message ends with, and is sent without. */
const tail = Buffer.from([0, 0, 255, 255])

/** Unpacks one message; no more memory is used than it may take. */
export const inflate: Inflate = (packed, maxBytes) => {
  try {
    return inflateRawSync(Buffer.concat([packed, tail]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: maxBytes
    })
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? 'oversized'
      : 'malformed'
  }
}

/** Packs one message. */
export function deflate(bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  return packed.subarray(0, packed.length - tail.length)
}

/** Whether a server has agreed to the offer, and to nothing that was not offered. */
export function agrees(extensions: string): boolean {
  const [name, ...parameters] = extensions.split(';').map((one) => one.trim().toLowerCase())
  const known = /^((server|client)_no_context_takeover|server_max_window_bits="?([89]|1[0-5])"?)$/
  return (
    name === 'permessage-deflate' &&
    parameters.includes('server_no_context_takeover') &&
    parameters.every((one) => known.test(one)) &&
    new Set(parameters.map((one) => one.split('=')[0])).size === parameters.length
  )
}
