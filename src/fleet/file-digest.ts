import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The SHA-256 of a file's content, in hexadecimal. */
export function fileDigest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
