import { readFileSync } from 'node:fs'
import { Failure, fileFault } from './failure.ts'

/** What came in on stdin, of which a second reading would find nothing. */
let onStdin: Buffer | undefined

/**
 * The bytes of a file that a person named; `file` 0 is what comes in on stdin, each time it is
 * asked for. A Failure says what was named, as `named` has it (`--key a.pem`), and what to do.
 */
export function givenBytes(named: string, file: string | 0): Buffer {
  try {
    if (file !== 0) return readFileSync(file)
    onStdin ??= readFileSync(file)
    return onStdin
  } catch (cause) {
    throw new Failure(`${named} cannot be read: ${fileFault(cause)}`)
  }
}

/** The text of a file that a person named; a Failure says why there is none. */
export function givenText(named: string, file: string): string {
  const bytes = givenBytes(named, file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure(`${named} is not text in UTF-8: name another file`)
  }
}

/**
 * The text of a document that a person named, of which some byte may be none of UTF-8, as in old
 * pages; a Failure says where it is no text at all.
 */
export function givenDocument(named: string, file: string): string {
  const bytes = givenBytes(named, file)
  if (bytes.includes(0)) throw new Failure(`${named} is no text: name another file`)
  return bytes.toString()
}
