import { availableParallelism } from 'node:os'
import type { Argv } from 'yargs'
import { type Tier, tiers } from '../../scenario/tier.ts'
import { seedFlag } from './load-flags.ts'
import { most, whole } from './numbers.ts'

/** Flags of every command that reads a document. */
export type DocumentFlags = { scenarios?: string; tier: Tier; json: boolean }

/** Flags of every command that chooses scenarios of a document. */
export type SelectionFlags = DocumentFlags & { ids?: string[] }

/** Flags that say with what the work is done, whatever it is. */
export type WorkFlags = { workers: number; seed: number }

/** Flags of every command that sends something to a target. */
export type RunFlags = SelectionFlags & WorkFlags & TargetFlags & { out: string; quiet: boolean }

/** Adds the flags that say which document it is about. */
export function documentFlags<Given>(yargs: Argv<Given>): Argv<Given & DocumentFlags> {
  return yargs
    .option('scenarios', {
      type: 'string',
      describe: 'Folder of scenarios and clauses.json (default: ./scenarios; of a target, ours)'
    })
    .option('tier', {
      choices: tiers,
      default: 'quick' as Tier,
      describe: 'How much time to take: under a minute, minutes, hours'
    })
    .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
}

/** Adds the flags that choose scenarios. */
export function selectionFlags<Given>(yargs: Argv<Given>): Argv<Given & SelectionFlags> {
  return documentFlags(
    yargs.positional('ids', {
      type: 'string',
      array: true,
      describe: 'Scenarios by path below the scenarios folder, or a beginning of it (default: all)'
    })
  )
}

/** Adds the flags that say with what the work is done. */
export function workFlags<Given>(yargs: Argv<Given>): Argv<Given & WorkFlags> {
  return yargs
    .option('workers', {
      type: 'number',
      // Some scenarios wait: with one thread more than there are processors none of these does.
      default: availableParallelism() + 1,
      describe: 'Worker threads',
      coerce: whole('workers', most.workers)
    })
    .option('seed', { ...seedFlag, describe: 'Seed of all chance, printed in the report' })
}

/** Flags of every command that sends something to one target. */
export type TargetFlags = { target?: string; authorisation: string }

/** Adds the flags that say what is tested, and by whose leave. */
export function targetFlags<Given>(yargs: Argv<Given>): Argv<Given & TargetFlags> {
  return yargs
    .option('target', {
      type: 'string',
      describe: 'A name, a JSON file or a URL (default: the embedded reference platform)'
    })
    .option('authorisation', {
      type: 'string',
      default: 'plimsoll.authorisation.json',
      describe: 'File that names the targets beyond loopback which you may test'
    })
}

/** Adds the flags that say what to run against, and how. */
export function runFlags<Given>(yargs: Argv<Given>): Argv<Given & RunFlags> {
  const asked = targetFlags(selectionFlags(yargs))
  return workFlags(asked)
    .option('out', { type: 'string', default: 'reports', describe: 'Folder for the run’s folder' })
    .option('quiet', { type: 'boolean', default: false, describe: 'Print only what is not well' })
}
