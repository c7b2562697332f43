import type { Argv } from 'yargs'
import { secondsOf } from './load-flags.ts'
import { aboveZero, most } from './numbers.ts'
import { type RigFlags, rigFlags } from './trial-flags.ts'

/** Flags of `soak`. */
export type SoakFlags = RigFlags & {
  duration?: number
  pid?: number
  metricsUrl?: string
  gauge: string[]
  budget: number
  metrics?: Record<string, number | undefined>
  resume?: string
  out: string
}

/** Reads `rss,heap=2`: which metrics decide, and the budgets of those that have their own. */
function asMetrics(text: string | undefined): SoakFlags['metrics'] {
  if (text === undefined) return
  const entries = text.split(',').map((entry): [string, number | undefined] => {
    const [, name, budget] = /^([\w:]+)(?:=(\d+(?:\.\d+)?))?$/.exec(entry) ?? []
    if (name === undefined)
      throw new Error(`--metrics "${entry}" is not of the form name or name=percent`)
    if (budget === undefined) return [name, undefined]
    return [name, aboveZero('metrics', most.budget)(Number(budget))]
  })
  return Object.fromEntries(entries)
}

function pidFlag(value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value > 0)) return value
  throw new Error('--pid must be the number of a process')
}

/** What is read of the target besides its answers. */
function figureFlags(yargs: Argv<any>): Argv<any> {
  return yargs
    .option('pid', {
      type: 'number',
      coerce: pidFlag,
      describe: 'The target’s process: its memory, descriptors, threads and processor time (Linux)'
    })
    .option('metrics-url', {
      type: 'string',
      describe: 'A page of the target’s in Prometheus’ format: its heap, and what --gauge names'
    })
    .option('gauge', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'A metric of that page to follow; may be repeated'
    })
}

/** Adds the flags of a soak. */
export function soakFlags<Given>(yargs: Argv<Given>): Argv<Given & SoakFlags> {
  return figureFlags(rigFlags(yargs))
    .option('duration', {
      alias: 'd',
      type: 'string',
      defaultDescription: '1h',
      coerce: (text?: string) => (text === undefined ? undefined : secondsOf('duration')(text)),
      describe: 'How long: 30m, 8h; of a resumed one, in all'
    })
    .option('budget', {
      type: 'number',
      default: 5,
      coerce: aboveZero('budget', most.budget),
      describe: 'Percentage an hour by which nothing may grow'
    })
    .option('metrics', {
      type: 'string',
      coerce: asMetrics,
      defaultDescription: 'figures, p50, errors',
      describe: 'What decides, each with a budget of its own if need be: rss,p99=10'
    })
    .option('resume', {
      type: 'string',
      describe: 'Go on with a soak that was cut short: its folder, or its name below --out'
    })
    .option('out', {
      type: 'string',
      default: 'reports',
      describe: 'Folder for the soak’s folder'
    }) as never
}
