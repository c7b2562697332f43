import { binomialCdf, binomialTail } from './binomial.ts'

/** "This share of requests is within the bound", and the confidence with which to say so. */
export type Objective = { share: number; confidence: number }

/**
 * The fewest requests that show the objective is held although so many were over the bound: for a
 * share of .99 at .99, 459 with none over, 662 with one, 2,010 with ten. Assumes independent
 * requests. Source: MLPerf inference rules, LoadGen early stopping.
 */
export function requestsNeeded(over: number, { share, confidence }: Objective): number {
  const shown = (draws: number) =>
    binomialCdf(over, { draws, probability: 1 - share }) <= 1 - confidence
  let high = over + 1
  while (!shown(high)) high *= 2
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (shown(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * Whether a stretch of requests shows the objective held or missed, or is too short to say; looked
 * at once, either is wrong at most as often as 1 − confidence. Assumes as `requestsNeeded`.
 */
export function objectiveShown(
  { requests, over }: { requests: number; over: number },
  { share, confidence }: Objective
): 'held' | 'missed' | 'undecided' {
  const atObjective = { draws: requests, probability: 1 - share }
  if (binomialCdf(over, atObjective) <= 1 - confidence) return 'held'
  if (binomialTail(over, atObjective) <= 1 - confidence) return 'missed'
  return 'undecided'
}
