import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { exit, Failure } from '../failure.ts'

/** What a machine has run out of, rather than what was asked of it wrongly. */
const usedUp = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO'])

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/**
 * Makes a folder and those above it, one at a time: Node's own way to make them all goes round for
 * ever where the kernel denies a folder that it says is there, as below /proc.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let place = folder; !isFolder(place); place = dirname(place)) {
    if (place === missing.at(-1)) break
    missing.push(place)
  }
  for (const place of missing.reverse()) {
    try {
      mkdirSync(place)
    } catch (cause) {
      // Somebody else may have made it in the meantime.
      if (!isFolder(place)) throw cause
    }
  }
}

/**
 * Makes a folder if need be and finds out whether it can be written, before anything is measured
 * that would have to go there. Throws a Failure, which names the flag that named the folder.
 */
export function openFolder(folder: string, flag = '--out'): void {
  try {
    makeFolder(folder)
    tryWriting(join(folder, `.plimsoll-${randomUUID()}`))
  } catch (cause) {
    throw unwritable(flag, folder, cause)
  }
}

/** The same for a file, of which nothing is changed where it is there already. */
export function openFile(file: string, flag: string): void {
  try {
    if (existsSync(file)) closeSync(openSync(file, 'a'))
    else openFolder(dirname(file), flag)
  } catch (cause) {
    throw cause instanceof Failure ? cause : unwritable(flag, file, cause)
  }
}

function tryWriting(file: string): void {
  try {
    writeFileSync(file, 'Whether this can be written.\n')
  } finally {
    rmSync(file, { force: true })
  }
}

/** Why nothing is written, in words, where the system's own say nothing to most people. */
const denials: Record<string, string> = {
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of its path is a file, and no folder',
  EEXIST: 'a file is in its place',
  EACCES: 'the system denies it'
}

function unwritable(flag: string, place: string, cause: unknown): Failure {
  const { code = '', message } = cause as NodeJS.ErrnoException
  const why = Object.hasOwn(denials, code) ? denials[code] : message
  const text = `${flag} ${place} cannot be written: ${why}; name a place that can be`
  return new Failure(text, usedUp.has(code) ? exit.fault : exit.usage)
}
