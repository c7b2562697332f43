import { percent } from '../number.ts'
import type { ExperimentalUnit } from '../statistics/centre.ts'
import type { Block, Trial } from './trial.ts'

/** What was not seen in n requests is rarer than 3 of n, with 95 % confidence (rule of three). */
const ruleOfThree = 3

const sum = (trials: readonly Trial[], of: (trial: Trial) => number) =>
  trials.reduce((total, trial) => total + of(trial), 0)

/** What a comparison of such blocks cannot have seen, however it came out, in words. */
export function unseenOf(blocks: readonly Block[], unit: ExperimentalUnit = 'pair'): string[] {
  const trials = blocks.flatMap((pairs) => pairs.map(({ b }) => b))
  const requests = sum(trials, (trial) => trial.requests)
  if (requests === 0) return ['everything: nothing was answered']
  const asked = trials.filter(({ perSecond }) => perSecond > 0)
  const seconds = sum(asked, (trial) => trial.requests / trial.perSecond)
  const of = unit === 'processes' ? blocks.length : 1
  const each = Number((seconds / of).toPrecision(2))
  const watched = unit === 'processes' ? `each process was asked for ${each} s` : `${each} s of it`
  const later =
    unit === 'processes' ? ', as code that is fast only later: --warm-up asks first' : ''
  return [
    `what befalls fewer than ${percent(ruleOfThree / requests, 2)} of requests`,
    `a leak, or what comes with time${later} (${watched})`,
    'other loads than this one'
  ]
}
