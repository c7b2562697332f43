import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'

/**
 * Makes sure that the files to be written into a run's folder are its own; who made the folder
 * would choose otherwise what is written over, or have us wait for a pipe. Ends the command where
 * one of them is no file. One that has another name elsewhere is made anew, and the other stays.
 */
export function demandOwnFiles(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const file = join(folder, name)
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) {
      throw new Failure(`${file} is a link, and nothing is written through one: remove it`)
    }
    if (found && !found.isFile()) {
      throw new Failure(`${file} is no file, and would have to be written: remove it`)
    }
    if (found && found.nlink > 1) rmSync(file)
  }
}
