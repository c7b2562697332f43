import type { RateTask, RateTrial } from './rate-trial.ts'

/** A part of a search: yields what to try, and takes nothing where no time is left for it. */
export type SearchPart<Result> = Generator<RateTask, Result, RateTrial | undefined>

/** Neighbouring rates differ by this share. */
export const width = 0.02

/** Has one trial made, and keeps it. */
export function* one(task: RateTask, trials: RateTrial[]): SearchPart<RateTrial | undefined> {
  const found = yield task
  if (found) trials.push(found)
  return found
}

/** A rate in words of three digits. */
export const rateText = (rate: number) => `${Number(rate.toPrecision(3))}/s`

/** Rates between two ends, in words. */
export const rangeText = ({ low, high }: { low: number; high: number }) =>
  `${rateText(low)} … ${rateText(high)}`
