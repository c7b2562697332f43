import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** What a worker's live memory holds just now, as short text: most of its cells are empty. */
export function snapshot(memory: SharedArrayBuffer): string {
  return deflateRawSync(new Uint8Array(memory)).toString('base64')
}

/** Makes a live memory here hold what one elsewhere held; both are little-endian machines'. */
export function restore(memory: SharedArrayBuffer, text: string): void {
  const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: memory.byteLength })
  new Uint8Array(memory).set(bytes)
}
