import * as zlib from 'node:zlib'

type Decode = (bytes: Buffer, options: { maxOutputLength: number; finishFlush?: number }) => Buffer

/** `deflate` is the format of zlib, though some send what is within it alone. */
const inflated: Decode = (bytes, options) => {
  try {
    return zlib.inflateSync(bytes, options)
  } catch {
    return zlib.inflateRawSync(bytes, options)
  }
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants

/** By coding: what reads it, and the flush by which it reads what was cut off. */
const decoders: { [coding: string]: [decode: Decode, finishFlush: number] } = {
  gzip: [zlib.gunzipSync, Z_SYNC_FLUSH],
  deflate: [inflated, Z_SYNC_FLUSH],
  br: [zlib.brotliDecompressSync, BROTLI_OPERATION_FLUSH],
  zstd: [zlib.zstdDecompressSync, ZSTD_e_flush]
}

/** The content of bytes in a coding, as far as it goes; undefined where they are not in it. */
function contentOf(bytes: Buffer, coding: string, mostBytes: number): Buffer | undefined {
  const [decode, finishFlush] = decoders[coding] ?? []
  const given = { maxOutputLength: mostBytes }
  try {
    return decode?.(bytes, given)
  } catch {
    try {
      const begun = decode!(bytes, { ...given, finishFlush })
      return begun.length > 0 ? begun : undefined
    } catch {
      return undefined
    }
  }
}

/**
 * What a body says that came in these content codings (RFC 9110, 8.4), at most so many bytes of it.
 * Who names no codings accepts any; what is not what it is said to be stays as it came.
 */
export function decoded(bytes: Buffer, codings: string, mostBytes: number): Buffer {
  const names = codings.split(',').map((name) => name.trim().toLowerCase().replace(/^x-/, ''))
  let content: Buffer | undefined = bytes
  for (const name of names.reverse())
    if (name !== '' && name !== 'identity') content = content && contentOf(content, name, mostBytes)
  return content ?? bytes
}
