import { one, type SearchPart } from './capacity-part.ts'
import type { RateTrial } from './rate-trial.ts'

/** Runs that must all hold a rate to confirm it, and how many rates are tried. */
const confirming = { runs: 3, mostRuns: 9, rates: 5 }

const beyond = [1.5, 2]

/** The highest rate, from the given one down, that every run holds; `late` without the time. */
export function* confirm(
  rate: number,
  { seconds, step, trials }: { seconds: number; step: number; trials: RateTrial[] }
): SearchPart<number | 'late' | undefined> {
  for (let tried = 0; tried < confirming.rates; tried++) {
    const lowered = rate / (1 + step) ** tried
    let held = 0
    // A run that could not be offered says nothing of the target: it is made again.
    for (let run = 0; run < confirming.mostRuns && held < confirming.runs; run++) {
      const found = yield* one({ purpose: 'confirm', rate: lowered, seconds }, trials)
      if (found === undefined) return 'late'
      if (found.outcome === 'missed') break
      if (found.outcome === 'held') held++
    }
    if (held === confirming.runs) return lowered
  }
}

/** What happens at one and a half times, and at twice, a rate that was confirmed. */
export function* overrun(
  confirmed: number,
  { seconds, trials }: { seconds: number; trials: RateTrial[] }
): SearchPart<RateTrial[]> {
  const found: RateTrial[] = []
  for (const factor of beyond) {
    const task = { purpose: 'degradation' as const, rate: confirmed * factor, seconds }
    const trial = yield* one(task, trials)
    if (trial) found.push(trial)
  }
  return found
}
