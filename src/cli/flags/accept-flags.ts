import type { Argv } from 'yargs'
import { Failure } from '../failure.ts'
import type { ExpectationFlags } from './expectation-flags.ts'

/** Flags that make an expectation file of a run. */
export type AcceptFlags = {
  writeExpectations?: string
  reason?: string
  until?: string
  update: boolean
}

/** Adds the flags that make an expectation file of a run. */
export function acceptFlags<Given>(yargs: Argv<Given>): Argv<Given & AcceptFlags> {
  const text = { type: 'string', requiresArg: true } as const
  return yargs
    .option('write-expectations', {
      ...text,
      describe: 'File to add the run’s failures and observations to; then it is held against it'
    })
    .option('reason', {
      ...text,
      describe: 'Why failures that are new there are accepted'
    })
    .option('until', { ...text, describe: 'The last day of that, such as 2027-03-31' })
    .option('update', {
      type: 'boolean',
      default: false,
      describe: 'Also bring the entries up to date that the file has, and drop what now passes'
    }) as never
}

/** Ends the command when flags about verdicts on a document are given for a soak, that has none. */
export function demandRun(flags: AcceptFlags & ExpectationFlags): void {
  const { writeExpectations, expect } = flags
  if (writeExpectations === undefined && expect === undefined) return
  throw new Failure('a soak is about no document, so there is nothing to expect of it')
}

/** Ends the command when flags do not go with each other. */
export function demandAccepting(flags: AcceptFlags & ExpectationFlags): void {
  const { writeExpectations, expect, reason, until, update } = flags
  if (writeExpectations !== undefined && expect !== undefined) {
    throw new Failure('--write-expectations FILE holds the run against FILE: leave --expect out')
  }
  const given = { reason, until, update: update || undefined }
  const stray = Object.entries(given).find(([, value]) => value !== undefined)
  if (writeExpectations === undefined && stray !== undefined) {
    throw new Failure(`--${stray[0]} is about a file: name it with --write-expectations FILE`)
  }
}
