import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { EdgeRequest } from '../edge/request.ts'
import { mediaType, type Served, valuesOf } from '../edge/served.ts'

/** The media types of scripts (RFC 9239), with the names that were in use before. */
const scriptTypes = /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

const decoders: Record<string, Decode> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync
}

/** Whether what is served is the whole of a script. */
export function isScript(served: Served, { method }: EdgeRequest): boolean {
  return method === 'GET' && served.status === 200 && scriptTypes.test(mediaType(served))
}

/**
 * The same answer, whose content is told as soon as all of it has gone by; not when it is larger
 * than the limit, as sent or as decoded, or in a coding that is not known.
 */
export function observed(
  served: Served,
  limitBytes: number,
  tell: (content: Buffer) => void
): Served {
  const codings = valuesOf(served.headers, 'content-encoding').join(',').toLowerCase()
  const told = (bytes: Buffer) => {
    const content = decoded(bytes, { coding: codings.trim(), limitBytes })
    if (content) tell(content)
  }
  const { body } = served
  if (typeof body !== 'string')
    return { ...served, body: Readable.from(passing(body), { objectMode: false }) }
  told(Buffer.from(body))
  return served

  async function* passing(source: Readable) {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes <= limitBytes) chunks.push(chunk)
      else chunks.length = 0
      yield chunk
    }
    if (bytes <= limitBytes) told(Buffer.concat(chunks))
  }
}

function decoded(
  bytes: Buffer,
  { coding, limitBytes }: { coding: string; limitBytes: number }
): Buffer | undefined {
  if (bytes.length > limitBytes) return undefined
  if (coding === '' || coding === 'identity') return bytes
  try {
    return decoders[coding]?.(bytes, { maxOutputLength: limitBytes })
  } catch {
    // It is not what it is said to be, or too much of it; either way it is not looked at.
    return undefined
  }
}
