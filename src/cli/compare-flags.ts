import type { Argv, Options } from 'yargs'
import type { RigEngine } from '../engine/rig.ts'
import { closed, hold, type Load, open } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import type { PairMetric } from '../verdict/pair-metric.ts'
import { type LoadFlags, loadFlags, requestOf, seconds } from './load-flags.ts'

/** What a comparison may gate on, as a flag; the rest is measured and shown. */
const metrics: readonly PairMetric[] = ['p50', 'p90', 'p99', 'throughput']

/** The engines that keep connections from one trial to the next. */
const engines: readonly RigEngine[] = ['wire', 'undici']

/** Flags that say how two targets are compared; of `compare` and of `calibrate`. */
export type PairFlags = Omit<LoadFlags, 'engine' | 'duration' | 'requests'> & {
  engine: RigEngine
  metric: PairMetric
  budget: number
  time: number
  seed: number
  out?: string
  json: boolean
}

function aboveZero(name: string) {
  return (value: number) => {
    if (value > 0) return value
    throw new Error(`--${name} must be more than 0`)
  }
}

/** Load flags that a comparison has no use for, or has another use for. */
const otherwise = new Set(['duration', 'requests', 'engine'])

/** The load flags a comparison shares; it ends by its own time, and `-b` is the URL of B. */
function sharedFlags(yargs: Argv<any>): Argv<any> {
  let added = yargs
  const sieve = {
    option(name: string, flag: Options) {
      const { alias, ...rest } = flag
      const own = alias === 'b' ? rest : flag
      if (!otherwise.has(name)) added = added.option(name, own)
      return sieve
    }
  }
  loadFlags(sieve as Argv<any>)
  return added
}

/** Adds the load flags and those of a comparison. */
export function pairFlags<Given>(yargs: Argv<Given>): Argv<Given & PairFlags> {
  return (
    sharedFlags(yargs)
      // One connection at a time is disturbed least by what else the machine does.
      .default('connections', 1)
      .option('engine', {
        choices: engines,
        default: 'wire' as RigEngine,
        describe: 'What sends'
      })
      .option('metric', {
        choices: metrics,
        default: 'p50' as PairMetric,
        describe: 'What the verdict is about'
      })
      .option('budget', {
        type: 'number',
        default: 5,
        coerce: aboveZero('budget'),
        describe: 'Percentage by which B must not be worse'
      })
      .option('time', {
        type: 'string',
        default: '60s',
        coerce: seconds,
        describe: 'How long it may take: 30s, 5m'
      })
      .option('seed', { type: 'number', default: 1, describe: 'Seed of all chance' })
      .option('out', { type: 'string', describe: 'Folder for the result and every pair of trials' })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'One JSON document on stdout'
      }) as never
  )
}

/** The load of one trial: open at the rate asked for, else closed. */
export function trialLoad(flags: PairFlags): (seconds: number) => Load {
  const { connections, pipelining, rate, timeout } = flags
  const common = { connections, pipelining, timeoutMs: timeout * 1_000 }
  return (seconds) =>
    rate === undefined
      ? closed({ ...common, seconds })
      : { ...open(hold({ rate, seconds })), ...common }
}

/** The request that is sent to a URL. */
export function pairRequest(url: string, flags: PairFlags): Request {
  return requestOf(url, { ...flags, duration: flags.time })
}
