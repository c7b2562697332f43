import type { Argv } from 'yargs'
import { closed, hold, type Load, open } from '../../load/load.ts'
import type { Margins } from '../../statistics/paired-decision.ts'
import type { Gate } from '../../verdict/judge-pair.ts'
import { type PairMetric, pairMetrics } from '../../verdict/pair-metric.ts'
import { secondsOf } from './load-flags.ts'
import { aboveZero, most } from './numbers.ts'
import { type TrialFlags, trialFlags } from './trial-flags.ts'

/** A metric that gates, and its budget in percent where it has one of its own. */
export type AskedGate = { metric: PairMetric; budget?: number }

/** Flags that say how two targets are compared; of `compare` and of `calibrate`. */
export type PairFlags = TrialFlags & {
  open: boolean
  /** Seconds. */
  warmUp?: number
  /** Absent where it hangs on how many requests are in flight. */
  pin?: boolean
  metric: readonly [AskedGate, ...AskedGate[]]
  budget: number
}

/** What gates, such as `p50,p99=15,rss`. Throws an Error that says what it may be. */
export function askedGates(text: string): [AskedGate, ...AskedGate[]] {
  const names = Object.keys(pairMetrics)
  const gates = text.split(',').map((one): AskedGate => {
    const [, metric = '', own] = /^(\w+)(?:=(.+))?$/.exec(one.trim()) ?? []
    if (!names.includes(metric)) {
      throw new Error(`--metric "${one}" is none of ${names.join(', ')}, with or without =PERCENT`)
    }
    if (own === undefined) return { metric: metric as PairMetric }
    const budget = aboveZero('metric', most.budget)(Number(own))
    return { metric: metric as PairMetric, budget }
  })
  const doubled = gates.find(({ metric }, at) => gates.findIndex((g) => g.metric === metric) < at)
  if (doubled) throw new Error(`--metric names ${doubled.metric} twice`)
  return gates as [AskedGate, ...AskedGate[]]
}

/** Up to here two copies of one thing differ too; less where the budget itself is small. */
const nothing = 0.01

/** Margins of a budget in percent, on the log scale. */
const marginsOf = (budget: number): Margins => ({
  nothing: Math.log1p(Math.min(nothing, budget / 200)),
  budget: Math.log1p(budget / 100)
})

/** The gates that flags ask for, the first of them the one that plans. */
export function gatesOf({ metric, budget }: Pick<PairFlags, 'metric' | 'budget'>): {
  metric: PairMetric
  margins: Margins
  also: Gate[]
} {
  const [first, ...also] = metric.map((gate) => ({
    metric: gate.metric,
    margins: marginsOf(gate.budget ?? budget)
  }))
  return { ...first!, also }
}

/** Adds the flags of a comparison; `-b` is left for the URL of B. */
export function pairFlags<Given>(yargs: Argv<Given>): Argv<Given & PairFlags> {
  return (
    trialFlags(yargs, { time: '60s', taken: 'b' })
      // One connection at a time is disturbed least by what else the machine does.
      .default('connections', 1)
      .option('open', {
        type: 'boolean',
        default: false,
        describe: 'Even arrivals at a rate that both hold, found first'
      })
      .option('warm-up', {
        type: 'string',
        coerce: secondsOf('warm-up'),
        defaultDescription: 'until its figures have settled',
        describe: 'How long to ask each start at least before it is measured: 5s'
      })
      .option('pin', {
        type: 'boolean',
        defaultDescription: 'where one request is in flight',
        describe: 'Run what commands start on one processor, in turns; --no-pin: on all'
      })
      .option('metric', {
        type: 'string',
        default: 'p50',
        coerce: askedGates,
        describe: 'What the verdict is about: one or more, with budgets: p50,p99=15,rss'
      })
      .option('budget', {
        type: 'number',
        default: 5,
        coerce: aboveZero('budget', most.budget),
        describe: 'Percentage by which B must not be worse'
      }) as never
  )
}

/** The load of one trial: open at the rate asked for, else closed. */
export function trialLoad(
  flags: Pick<PairFlags, 'connections' | 'pipelining' | 'rate' | 'timeout'>
): (seconds: number) => Load {
  const { connections, pipelining, rate, timeout } = flags
  const common = { connections, pipelining, timeoutMs: timeout * 1_000 }
  return (seconds) =>
    rate === undefined
      ? closed({ ...common, seconds })
      : { ...open(hold({ rate, seconds })), ...common }
}
