import type { Argv } from 'yargs'
import { type Bounds, longestMs, unbreakable } from '../../load/figures/bounds.ts'
import { statisticNames } from '../../load/figures/own-metrics.ts'
import { streamMetrics } from '../../load/figures/stream-metrics.ts'
import { type Load, largest, peak } from '../../load/load.ts'
import { grouped } from '../../report/quantity.ts'
import type { Objectives } from '../../verdict/judge-load.ts'
import { Failure } from '../failure.ts'
import { aboveZero, most } from './numbers.ts'

/** What a load must achieve, as flags; latencies in milliseconds, shares of 1, each a second. */
export type ObjectiveFlags = Partial<Record<Latency | 'errors' | 'rps' | 'redirects', number>> & {
  objective?: StreamObjective[]
}

/** An objective about a figure of streams. */
type StreamObjective = [name: string, bound: { atLeast: number } | { atMost: number }]

const latencies = {
  ...{ p50: 'half of', p90: '90 in 100 of', p95: '95 in 100 of', p99: '99 in 100 of' },
  ...{ p999: '999 in 1,000 of', max: 'all of' }
}

type Latency = keyof typeof latencies

const names = Object.keys(latencies) as Latency[]

/** The share of requests that may fail where there is an objective and none says so. */
const usualErrors = 0.001

const units = { ms: 1, s: 1_000 }

/** Milliseconds in `20`, `20ms` or `1.5s`. */
function milliseconds(name: string) {
  return (text: string) => {
    const [, number, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? []
    const ms = Number(number) * units[unit as keyof typeof units]
    if (ms > 0 && ms <= most.latencyMs) return ms
    if (ms > 0) throw new Error(`--${name} "${text}" is more than an hour`)
    throw new Error(`--${name} "${text}" is no latency such as 20, 20ms or 1.5s`)
  }
}

/** The share that answers may be redirects where there is an objective and none says so. */
const usualRedirects = 0.1

/** The share in `1` or `1%`. */
const share = (name: string) => (text: string) => {
  const [, number] = /^(\d+(?:\.\d+)?) ?%?$/.exec(text) ?? []
  if (Number(number) <= 100) return Number(number) / 100
  throw new Error(`--${name} "${text}" is no percentage from 0 to 100`)
}

function perSecond(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return aboveZero('rps', largest.level)(Number(text))
  throw new Error(`--rps "${text}" is no number of responses above 0`)
}

const streamFigures = Object.entries(streamMetrics).flatMap(([name, one]) =>
  statisticNames({ [name]: one }).map((figure) => [figure, one.unit] as const)
)

/** An objective in words such as `firstEvent p99 <= 300ms`. */
function streamObjective(text: string): StreamObjective {
  const [, name = '', sign, number, unit] =
    /^\s*(.+?)\s*(<=|>=)\s*(\d+(?:\.\d+)?)\s*(ms|s)?\s*$/.exec(text) ?? []
  if (sign === undefined) {
    throw new Error(`--objective "${text}" is none such as "firstEvent p99 <= 300ms"`)
  }
  const known = streamFigures.find(([figure]) => figure === name)
  if (known === undefined) {
    const all = streamFigures.map(([figure]) => figure).join(', ')
    throw new Error(`--objective "${text}": ${name} is none of ${all}`)
  }
  if (unit !== undefined && known[1] !== 'ms')
    throw new Error(`--objective "${text}": ${name} is told in ${known[1]}, not in ${unit}`)
  const value = Number(number) * (unit === 's' ? 1_000 : 1)
  if (value > most.times)
    throw new Error(`--objective "${text}" is of more than ${grouped(most.times)}`)
  return [name, sign === '<=' ? { atMost: value } : { atLeast: value }]
}

/** Adds the flags that say what a load must achieve. */
export function objectiveFlags<Given>(yargs: Argv<Given>): Argv<Given & ObjectiveFlags> {
  let added: Argv<any> = yargs
  for (const name of names) {
    added = added.option(name, {
      type: 'string',
      coerce: milliseconds(name),
      describe: `Objective: ${latencies[name]} the responses come within so many milliseconds`
    })
  }
  return added
    .option('errors', {
      type: 'string',
      coerce: share('errors'),
      describe: 'Objective: so many percent may fail or be dropped (0.1, with another objective)'
    })
    .option('redirects', {
      type: 'string',
      coerce: share('redirects'),
      describe:
        'With an objective: so many percent may lead elsewhere (10); of more nothing is told'
    })
    .option('rps', {
      type: 'string',
      coerce: perSecond,
      describe: 'Objective: so many responses a second at least'
    })
    .option('objective', {
      ...{ type: 'string', array: true, requiresArg: true },
      coerce: (texts: string[] | undefined) => texts?.map(streamObjective),
      describe: 'Objective about streams: "firstEvent p99 <= 300ms"; may be repeated'
    })
}

/** Fails where responses are wanted within a time that none can exceed: that tells nothing. */
export function insistOnBreakable(bounds: Bounds, load: { timeoutMs: number }): void {
  const name = unbreakable(bounds, load)
  if (name === undefined) return
  const { [name]: ms = 0 } = bounds
  const given = `--timeout ${load.timeoutMs / 1_000}s`
  const most = `no response takes longer than ${longestMs(load)} ms, ${given} for a connection`
  const fix = `and as long for its answer; give --timeout ${Math.ceil(ms / 1_000)}s`
  throw new Failure(`--${name.slice(0, -2)} ${ms} is always kept: ${most} ${fix}`)
}

/**
 * The objectives in flags; none where no flag names one. What fails is quick, and would make the
 * latencies look well: whoever names an objective gets one for errors too. Fails where the load
 * sends less than `--rps` wants answered, of which no target is guilty, and where none can fail.
 */
export function objectivesOf(
  flags: ObjectiveFlags,
  load?: Pick<Load, 'model' | 'phases' | 'timeoutMs'>
): Objectives {
  const within = names.flatMap((name) =>
    flags[name] === undefined ? [] : [[`${name}Ms`, flags[name]]]
  )
  const { rps, errors, redirects, objective = [] } = flags
  if (load?.model === 'open' && rps !== undefined && rps > peak(load.phases))
    throw new Failure(
      `--rps ${rps} wants more answers a second than are asked for by --rate ${peak(load.phases)}`
    )
  const bounds: Bounds = Object.fromEntries(within)
  if (load) insistOnBreakable(bounds, load)
  const named = [...within, ...objective]
  if (named.length === 0 && rps === undefined && errors === undefined) return {}
  const most = errors ?? usualErrors
  return {
    ...bounds,
    ...{ errorRatio: most, droppedRatio: most, redirectRatio: redirects ?? usualRedirects },
    ...(rps !== undefined && { perSecond: rps }),
    ...(objective.length > 0 && { metrics: boundsByName(objective) })
  }
}

/** Objectives about streams by name; of one that is named twice both bounds hold. */
function boundsByName(objectives: readonly StreamObjective[]): NonNullable<Objectives['metrics']> {
  const bounds: NonNullable<Objectives['metrics']> = {}
  for (const [name, bound] of objectives) bounds[name] = { ...bounds[name], ...bound }
  return bounds
}
