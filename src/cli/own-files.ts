import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.ts'

/**
 * Ends the command when a file to be written into a run's folder is a link, a pipe or the like: who
 * made the folder would choose with it what is written over, or have us wait for a reader for ever.
 */
export function demandOwnFiles(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const file = join(folder, name)
    const there = lstatSync(file, { throwIfNoEntry: false })
    if (there === undefined || there.isFile()) continue
    const what = there.isSymbolicLink()
      ? 'a link, and nothing is written through one'
      : 'no file, and only a file is written over'
    throw new Failure(`${file} is ${what}: remove it`)
  }
}
