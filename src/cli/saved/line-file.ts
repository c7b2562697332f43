import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { cannotWrite } from './whole-file.ts'

/** A file that lines are added to, which holds whole ones only, whatever becomes of the disk. */
export type LineFile = {
  /** Appends a line, its line break included. Throws a Failure, and then leaves none of it. */
  append(line: string): void
  close(): void
}

/** Opens a file to append to; `durable` lines are on the disk, not only with the system. */
export function openLines(file: string, options: { durable?: boolean } = {}): LineFile {
  const descriptor = opened(file)
  let wholeBytes = fstatSync(descriptor).size
  return {
    append(line) {
      const bytes = Buffer.from(line)
      try {
        // A disk that is nearly full takes a part and calls it written.
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
        if (options.durable) fsyncSync(descriptor)
        wholeBytes += bytes.length
      } catch (cause) {
        takeBack(descriptor, wholeBytes)
        throw cannotWrite(file, cause)
      }
    },
    close: () => closeSync(descriptor)
  }
}

/** Cuts off what was written of a line. */
function takeBack(descriptor: number, wholeBytes: number): void {
  try {
    ftruncateSync(descriptor, wholeBytes)
  } catch {
    // A device has no end to cut; why the line was not written says more.
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'a')
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}
