import { availableParallelism } from 'node:os'
import type { Argv } from 'yargs'
import { type Tier, tiers } from '../scenario/scenario.ts'

/** Flags of every command that reads scenarios. */
export type SelectionFlags = { ids?: string[]; scenarios?: string; tier: Tier; json: boolean }

/** Flags of every command that sends something to a target. */
export type RunFlags = SelectionFlags & {
  target?: string
  authorisation: string
  workers: number
  seed: number
  out: string
  quiet: boolean
}

/** Adds the flags that choose scenarios. */
export function selectionFlags<Given>(yargs: Argv<Given>): Argv<Given & SelectionFlags> {
  return yargs
    .positional('ids', {
      type: 'string',
      array: true,
      describe: 'Scenarios by path below the scenarios folder, or a beginning of it (default: all)'
    })
    .option('scenarios', {
      type: 'string',
      describe: 'Folder of scenarios and clauses.json (default: ./scenarios, else the shipped ones)'
    })
    .option('tier', {
      choices: tiers,
      default: 'quick' as Tier,
      describe: 'How much time to take: under a minute, minutes, hours'
    })
    .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
}

function positive(name: string) {
  return (value: number) => {
    if (Number.isInteger(value) && value >= 1) return value
    throw new Error(`--${name} must be a whole number from 1`)
  }
}

/** Adds the flags that say what to run against, and how. */
export function runFlags<Given>(yargs: Argv<Given>): Argv<Given & RunFlags> {
  return selectionFlags(yargs)
    .option('target', {
      type: 'string',
      describe: 'A name, a JSON file or a URL (default: the embedded reference platform)'
    })
    .option('authorisation', {
      type: 'string',
      default: 'plimsoll.authorisation.json',
      describe: 'File that names the targets beyond loopback which you may test'
    })
    .option('workers', {
      type: 'number',
      default: availableParallelism(),
      describe: 'Worker threads',
      coerce: positive('workers')
    })
    .option('seed', {
      type: 'number',
      default: 1,
      describe: 'Seed of all chance, printed in the report',
      coerce: (value: number) => {
        if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value
        throw new Error('--seed must be a whole number from 0 to 4294967295')
      }
    })
    .option('out', { type: 'string', default: 'reports', describe: 'Folder for the run’s folder' })
    .option('quiet', { type: 'boolean', default: false, describe: 'Print only what is not well' })
}
