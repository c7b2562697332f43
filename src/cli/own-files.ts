import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.ts'

/**
 * Ends the command when a file to be written into a run's folder is a link: who made the folder
 * would choose with it what is written over.
 */
export function demandOwnFiles(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const file = join(folder, name)
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) continue
    throw new Failure(`${file} is a link, and nothing is written through one: remove it`)
  }
}
