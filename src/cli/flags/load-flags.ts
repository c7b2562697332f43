import type { Argv } from 'yargs'
import { closed, hold, type Load, largest, open, warmUp } from '../../load/load.ts'
import { type TransportName, transportNames } from '../../load/transports/transport.ts'
import { grouped } from '../../report/quantity.ts'
import { httpFlag } from './http-flag.ts'
import { aboveZero, most, whole } from './numbers.ts'
import { type RequestFlags, requestFlags } from './request-flags.ts'

/** Flags that describe a load on one URL; those of `load` and of the commands built on it. */
export type LoadFlags = RequestFlags & {
  connections: number
  rate?: number
  duration: number
  requests?: number
  pipelining: number
  /** Worker threads; one where nobody says. */
  workers?: number
  timeout: number
  precise?: boolean
  transport: TransportName
  insecure: boolean
}

const units = { ms: 0.001, s: 1, m: 60, h: 3_600 }

/** The flag for targets that cannot prove who they are. */
export const insecureFlag = {
  type: 'boolean',
  default: false,
  describe: 'Accept certificates that cannot be verified'
} as const

/** A yargs coercion to the seconds in `30`, `30s`, `500ms`, `5m`, `2h` or `1h30m`. */
export function secondsOf(name: string) {
  return (text: string): number => {
    const isDuration = /^(?:\d+(?:\.\d+)?|(?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/.test(text)
    const parts = isDuration ? [...text.matchAll(/([\d.]+)(ms|s|m|h)?/g)] : []
    const seconds = parts.reduce((sum, [, number, unit = 's']) => {
      return sum + Number(number) * units[unit as keyof typeof units]
    }, 0)
    if (seconds > most.hours * units.h)
      throw new Error(`--${name} "${text}" is longer than ${grouped(most.hours)}h`)
    if (seconds > 0) return seconds
    throw new Error(`--${name} "${text}" is no duration such as 30s or 5m`)
  }
}

/** The flag for the seed of all chance. */
export const seedFlag = {
  type: 'number',
  default: 1,
  coerce: (value: number) => {
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value
    throw new Error('--seed must be a whole number from 0 to 4294967295')
  },
  describe: 'Seed of all chance'
} as const

function arrivalFlags(yargs: Argv<any>): Argv<any> {
  return yargs
    .option('connections', {
      alias: 'c',
      type: 'number',
      default: 50,
      coerce: whole('connections', largest.connections),
      describe: 'Connections kept open'
    })
    .option('rate', {
      alias: 'r',
      type: 'number',
      coerce: aboveZero('rate', largest.level),
      describe: 'Requests a second, whatever the target does (without it: as fast as it answers)'
    })
    .option('duration', {
      alias: 'd',
      type: 'string',
      default: '10s',
      coerce: secondsOf('duration'),
      describe: 'How long: 30s, 5m, 1h'
    })
    .option('requests', {
      alias: 'n',
      type: 'number',
      coerce: whole('requests'),
      describe: 'End after this many requests'
    })
    .option('pipelining', {
      alias: 'p',
      type: 'number',
      default: 1,
      coerce: whole('pipelining', largest.pipelining),
      describe: 'Requests in flight on one connection; with HTTP/2, streams'
    })
    .option('workers', {
      alias: 'w',
      type: 'number',
      defaultDescription: '1',
      coerce: whole('workers', most.workers),
      describe: 'Worker threads of this machine'
    })
}

/** Adds the flags that describe a load. */
export function loadFlags<Given>(yargs: Argv<Given>): Argv<Given & LoadFlags> {
  const flags = requestFlags(arrivalFlags(yargs))
    .option('timeout', {
      alias: 't',
      type: 'string',
      default: '10s',
      coerce: secondsOf('timeout'),
      describe: 'A request without an answer after this long is given up'
    })
    .option('transport', {
      alias: 'engine',
      choices: transportNames,
      // Whether somebody gave it matters beside --http, which fills it in.
      defaultDescription: 'http1',
      describe: 'What sends; http1: by io_uring of Linux (uring) with koffi, else by sockets (wire)'
    })
    .option('insecure', insecureFlag)
  return httpFlag(flags) as never
}

/**
 * The load that flags describe: open when they name a rate, else closed; before it, for so many
 * seconds, the same unmeasured.
 */
export function loadOf(flags: LoadFlags, warmUpSeconds = 0): Load {
  const { connections, rate, duration, requests = Infinity, pipelining, timeout } = flags
  if (connections * pipelining > largest.inFlight)
    throw new RangeError(
      `--connections ${connections} with --pipelining ${pipelining} are more than ` +
        `${grouped(largest.inFlight)} requests in flight`
    )
  const common = { connections, pipelining, timeoutMs: timeout * 1_000, iterations: requests }
  const level = rate === undefined ? { users: connections * pipelining } : { rate }
  const lead = warmUpSeconds > 0 ? warmUp(hold({ ...level, seconds: warmUpSeconds })) : []
  const phases = [...lead, hold({ ...level, seconds: duration })]
  if (rate === undefined) {
    if (flags.precise) throw new RangeError('--precise is about arrivals at a rate: name one by -r')
    return closed({ ...common, users: phases })
  }
  return { ...open(...phases), ...common, ...(flags.precise && { precise: true }) }
}
