import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import type { Lost } from '../../report/record.ts'
import { Failure, fileFault } from '../failure.ts'

/** A line of a file; without a text it is longer than any line that is read. */
export type SavedLine = { text?: string; ended: boolean }

const newline = 0x0a

/** Bytes read at once, and of one line at most. */
const sizes = { chunk: 1_048_576, line: 67_108_864 }

/** Why a line that is too long is passed over. */
export const tooLong = `longer than ${sizes.line / 1_048_576} MiB`

/**
 * Whether a file of a run's folder is there, as a file of its own: a link in a folder that somebody
 * else made would have us read what they chose, and a pipe would have us wait for them.
 */
export function isOwnFile(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isFile() ?? false
  } catch (cause) {
    // Below a file there is nothing, which lstat does not count as no entry.
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw cause
  }
}

function openedAtOnce(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (cause) {
    throw new Failure(`${file} cannot be read: ${fileFault(cause)}`)
  }
}

function opened(file: string): number {
  // Nothing but a file is waited for, and whether it is one is known only once it is open.
  const descriptor = openedAtOnce(file)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new Failure(`${file} is no file`)
}

/** The lines of a file in their order, a chunk of it in memory at a time. */
export function* linesOf(file: string): Generator<SavedLine> {
  const descriptor = opened(file)
  try {
    let begun: Buffer[] = []
    let bytes = 0
    const end = (ended: boolean): SavedLine => {
      const text = bytes > sizes.line ? undefined : Buffer.concat(begun).toString()
      begun = []
      bytes = 0
      return { text, ended }
    }
    const add = (part: Buffer) => {
      bytes += part.length
      if (bytes <= sizes.line) begun.push(part)
      else begun = []
    }
    for (;;) {
      const chunk = Buffer.allocUnsafe(sizes.chunk)
      const length = readSync(descriptor, chunk)
      if (length === 0) break
      let from = 0
      for (;;) {
        const to = chunk.subarray(0, length).indexOf(newline, from)
        if (to < 0) break
        add(chunk.subarray(from, to))
        yield end(true)
        from = to + 1
      }
      if (from < length) add(chunk.subarray(from, length))
    }
    if (bytes > 0) yield end(false)
  } finally {
    closeSync(descriptor)
  }
}

/** Lines that are named at most. */
const mostNamed = 5

/** Keeps count of lines that could not be read, and the first of them. */
export function createLoss() {
  const first: { line: number; because: string }[] = []
  let count = 0
  return {
    lose(line: number, because: string): void {
      if (first.length < mostNamed) first.push({ line, because })
      count++
    },
    /** What was lost; undefined where nothing was. */
    lost: (): Lost | undefined => (count > 0 ? { count, first } : undefined)
  }
}

/** What could not be read of a file, a line each; empty where all of it was. */
export function leftOutText(lost: Lost | undefined, file: string): string {
  const { count, first } = lost ?? { count: 0, first: [] }
  const lines = first.map(({ line, because }) => `${file}:${line}: left out: ${because}\n`)
  const more =
    count > first.length ? [`${file}: ${count - first.length} more lines left out\n`] : []
  return [...lines, ...more].join('')
}
