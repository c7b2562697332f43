import { gzipSync } from 'node:zlib'
import type { Context } from 'plimsoll'
import { probeSource } from './_probing.ts'

/** Bytes of the source as it is compressed by default. */
function compressed(source: string): number {
  return gzipSync(source).length
}

/** Bytes that nothing compresses. */
function noiseOf(bytes: number, random: Context['random']): Buffer {
  return Buffer.from(Uint8Array.from({ length: bytes }, () => random() * 256))
}

/** The probe with a comment that makes it so many bytes large once it is compressed, or nearly. */
export function sourceOf(compressedBytes: number, random: Context['random']): string {
  const source = probeSource()
  const text = noiseOf(compressedBytes, random).toString('base64')
  // Base64 is three quarters noise, which is what remains of it.
  const length = Math.round(((compressedBytes - compressed(source)) * 4) / 3 / 1.01)
  const sized = (characters: number) => `${source}\n// ${text.slice(0, characters)}\n`
  const first = sized(length)
  return sized(length + Math.round((compressedBytes - compressed(first)) * 1.32))
}

/** The same in two modules, each of which has half of it. */
export function modulesOf(compressedBytes: number, random: Context['random']) {
  const half = () => sourceOf(compressedBytes / 2, random)
  return { 'main.js': `import './other.js'\n${half()}`, 'other.js': half() }
}

/** The probe with a module of bytes, which has nearly all of it. */
export function dataOf(compressedBytes: number, random: Context['random']) {
  const source = probeSource()
  const data = noiseOf(compressedBytes - compressed(source), random)
  return { 'main.js': `import './data.bin'\n${source}`, 'data.bin': data }
}
