import { upperBound } from '../statistics/clopper-pearson.ts'
import { quantile } from '../statistics/quantile.ts'
import type { PairConclusion } from './judge-pair.ts'

/** What comparisons of a thing with itself say of the machine they were made on. */
export type Calibration = {
  /** Comparisons that came to a conclusion, and those that saw a difference where there is none. */
  runs: number
  alarms: number
  /** The chance of such an alarm is at most this, 19 times in 20. */
  alarmBound: number
  /** Ratio that half, and nine in ten, of the intervals do not reach beyond on either side. */
  resolution: { median: number; p90: number }
  /** Ratio that nine in ten of the estimates stay within, on either side of 1. */
  spread: number
}

/** How far a ratio is from 1, on either side. */
const distance = (ratio: number) => Math.abs(Math.log(ratio))

/** Sums up comparisons of a thing with itself; undefined without any. */
export function calibrationOf(conclusions: readonly PairConclusion[]): Calibration | undefined {
  const runs = conclusions.length
  if (runs === 0) return
  const isAlarm = ({ verdict }: PairConclusion) => verdict === 'regressed' || verdict === 'improved'
  const alarms = conclusions.filter(isAlarm).length
  const reaches = conclusions.map(({ interval }) => Math.max(...interval.map(distance)))
  const estimates = conclusions.map(({ ratio }) => distance(ratio))
  return {
    runs,
    alarms,
    alarmBound: upperBound({ events: alarms, draws: runs, confidence: 0.95 }),
    resolution: {
      median: Math.exp(quantile(reaches, 0.5)),
      p90: Math.exp(quantile(reaches, 0.9))
    },
    spread: Math.exp(quantile(estimates, 0.9))
  }
}
