import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { exit, Failure } from '../failure.ts'

/** The end of a command that cannot write a file: a sentence, without a stack. */
export function cannotWrite(file: string, cause: unknown): Failure {
  return new Failure(`${file} cannot be written: ${(cause as Error).message}`, exit.fault)
}

/**
 * Writes a file whole or not at all: whoever reads it meanwhile, and whoever reads it when the disk
 * was full, finds the old one. The text may come in parts. Throws a Failure.
 */
export function writeWhole(file: string, text: string | Iterable<string>): void {
  const parts = typeof text === 'string' ? [text] : text
  const there = statSync(file, { throwIfNoEntry: false })
  try {
    // A device or a pipe is written to, and never replaced by a file.
    if (there && !there.isFile()) writeParts(file, parts)
    else replace(there ? realpathSync(file) : file, parts)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

function replace(file: string, parts: Iterable<string>): void {
  const draft = join(dirname(file), `.plimsoll-${randomUUID()}`)
  try {
    writeParts(draft, parts, { flush: true })
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

/** Characters that are gathered before they are written. */
const atOnce = 1_048_576

function writeParts(file: string, parts: Iterable<string>, { flush = false } = {}): void {
  const descriptor = openSync(file, 'w')
  try {
    let gathered = ''
    for (const part of parts) {
      gathered += part
      if (gathered.length < atOnce) continue
      writeFileSync(descriptor, gathered)
      gathered = ''
    }
    writeFileSync(descriptor, gathered)
    if (flush) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
