import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.ts'

/**
 * Makes the folder for a result and tries whether it can be written to, before the time is spent
 * that the result takes; ends the command when it cannot.
 */
export function makeFolder(folder: string): void {
  const trace = join(folder, `.plimsoll-${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(trace, '')
    rmSync(trace)
  } catch (cause) {
    throw new Failure(`--out ${folder} cannot be written to: ${(cause as Error).message}`)
  }
}
