import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The SHA-256 of a file's content, in hexadecimal; throws where it cannot be read. */
export function fileDigest(file: string): string {
  return hash('sha256', readFileSync(file))
}
