import type { Argv } from 'yargs'
import { closed, hold, type Load, open } from '../../load/load.ts'
import type { PairMetric } from '../../verdict/pair-metric.ts'
import { aboveZero, type TrialFlags, trialFlags } from './trial-flags.ts'

/** What a comparison may gate on, as a flag; the rest is measured and shown. */
const metrics: readonly PairMetric[] = ['p50', 'p90', 'p99', 'throughput']

/** Flags that say how two targets are compared; of `compare` and of `calibrate`. */
export type PairFlags = TrialFlags & { open: boolean; metric: PairMetric; budget: number }

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
