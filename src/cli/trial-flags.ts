import type { Argv, Options } from 'yargs'
import type { RigEngine } from '../engine/rig.ts'
import type { Request } from '../load/request.ts'
import { type LoadFlags, loadFlags, requestOf, seconds } from './load-flags.ts'

/** Flags of the commands that measure by many short trials within a time. */
export type TrialFlags = Omit<LoadFlags, 'engine' | 'duration' | 'requests'> & {
  engine: RigEngine
  time: number
  seed: number
  authorisation: string
  out?: string
  json: boolean
}

/** The engines that keep connections from one trial to the next. */
const engines: readonly RigEngine[] = ['wire', 'undici']

/** Load flags that have no meaning where trials are many and short, or another one. */
const otherwise = new Set(['duration', 'requests', 'engine'])

/** A yargs coercion that lets only numbers above zero pass. */
export function aboveZero(name: string) {
  return (value: number) => {
    if (value > 0) return value
    throw new Error(`--${name} must be more than 0`)
  }
}

/** The load flags without those; `taken` is a letter that the command has another use for. */
function sharedFlags(yargs: Argv<any>, taken: string): Argv<any> {
  let added = yargs
  const sieve = {
    option(name: string, flag: Options) {
      const { alias, ...rest } = flag
      if (!otherwise.has(name)) added = added.option(name, alias === taken ? rest : flag)
      return sieve
    }
  }
  loadFlags(sieve as Argv<any>)
  return added
}

/** Adds the flags that say what trials send, and how long all of them may take. */
export function trialFlags<Given>(
  yargs: Argv<Given>,
  options: { time: string; taken?: string }
): Argv<Given & TrialFlags> {
  return sharedFlags(yargs, options.taken ?? '')
    .option('engine', { choices: engines, default: 'wire' as RigEngine, describe: 'What sends' })
    .option('time', {
      type: 'string',
      default: options.time,
      coerce: seconds,
      describe: 'How long it may take: 30s, 5m'
    })
    .option('seed', { type: 'number', default: 1, describe: 'Seed of all chance' })
    .option('authorisation', {
      type: 'string',
      default: 'plimsoll.authorisation.json',
      describe: 'File that names the targets beyond loopback which you may test'
    })
    .option('out', { type: 'string', describe: 'Folder for the result and what it rests on' })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'One JSON document on stdout'
    }) as never
}

/** The request that is sent to a URL. */
export function trialRequest(url: string, flags: TrialFlags): Request {
  return requestOf(url, { ...flags, duration: flags.time })
}
