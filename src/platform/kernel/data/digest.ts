import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 4_194_304

/** The digest of a file as hexadecimal digits; with a length, of as many of its first bytes. */
export function digestOf(file: string, algorithm = 'sha256', length = Infinity): string {
  const digest = createHash(algorithm)
  const chunk = Buffer.alloc(chunkBytes)
  const opened = openSync(file, 'r')
  try {
    for (let left = length; left > 0; ) {
      const bytes = readSync(opened, chunk, 0, Math.min(left, chunkBytes), null)
      if (bytes === 0) break
      digest.update(chunk.subarray(0, bytes))
      left -= bytes
    }
  } finally {
    closeSync(opened)
  }
  return digest.digest('hex')
}
