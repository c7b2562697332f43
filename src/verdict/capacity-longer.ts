import type { SearchEnding } from '../statistics/mlr-search.ts'
import { width } from './capacity-part.ts'
import type { CapacityKnown } from './capacity-unsteady.ts'
import type { RateTask, RateTrial } from './rate-trial.ts'

/**
 * By what share a rate that was held for so long may be more than the target serves, since a queue
 * had no time to show.
 */
export type Unseen = (trial: Pick<RateTask, 'rate' | 'seconds'>) => number

/** The highest rate that was held and the lowest that was missed. */
type Bounds = {
  ended: SearchEnding
  lower?: number | undefined
  upper?: number | undefined
  conditionalThroughput?: number | undefined
}

/** What the runs that confirm came to: a rate, none of those tried, or the time was up first. */
export type Confirming = { confirmed: number | 'late' | undefined; runs: readonly RateTrial[] }

const missedIn = ({ runs }: Confirming) =>
  runs.flatMap(({ rate, outcome }) => (outcome === 'missed' ? rate : []))

/**
 * The bounds by the longer runs as well: what one of those missed was not held, however many
 * shorter trials say so.
 */
export function boundsAfter(
  bounds: Bounds,
  confirming: Confirming,
  trials: readonly RateTrial[]
): Bounds {
  const missed = Math.min(...missedIn(confirming))
  if (missed === Infinity) return bounds
  const { confirmed } = confirming
  const below = trials.flatMap(({ rate, outcome }) => {
    return outcome === 'held' && rate < missed ? rate : []
  })
  const held = below.length > 0 ? Math.max(...below) : undefined
  const lower = typeof confirmed === 'number' ? confirmed : held
  const upper = Math.min(bounds.upper ?? Infinity, missed)
  const isSame = lower === bounds.lower
  return { ...bounds, lower, upper, ...(!isSame && { conditionalThroughput: undefined }) }
}

/**
 * The bounds where no interval says how far below them the capacity may lie: a lower one that was
 * held in trials too short for the requests is less by what a queue may have hidden in the longest.
 */
export function boundsShown<Given extends Bounds>(
  bounds: Given,
  trials: readonly RateTrial[],
  unseen: Unseen
): Given {
  const { lower } = bounds
  if (lower === undefined) return bounds
  const held = trials.filter(({ rate, outcome }) => outcome === 'held' && rate >= lower)
  const hidden = Math.min(...held.map(unseen))
  // By less than neighbouring rates differ, it is what was held.
  return hidden > width ? { ...bounds, lower: lower / (1 + hidden) } : bounds
}

/**
 * How far apart rates are that longer runs try one after the other: so far that a few of them reach
 * below all that a queue may hide in the trials before.
 */
export const stepBelow = (unseenShare: number) => Math.max(width, unseenShare / 2)

type Terms = {
  unseen: Unseen
  trialSeconds: number
  runSeconds: number
  /** As in `Bounds`, after the longer runs. */
  lower?: number | undefined
}

/** So many rates in a row that longer runs missed are no glitch of one of them. */
const contradicting = 2

/**
 * The interval with a lower end that was shown: by trials so long that a queue would have shown, or
 * lower by what it may have hidden. It begins above nothing that a longer run missed; where several
 * did, at what was held by those, and where they held nothing of all they tried, nothing is known
 * from below.
 */
export function shownFrom<Known extends CapacityKnown>(
  known: Known,
  confirming: Confirming,
  { unseen, trialSeconds, runSeconds, lower = 0 }: Terms
): Known {
  if (known.interval === undefined) return known
  const [low, high] = known.interval
  const from = (end: number): Known => ({ ...known, interval: [end, high] })
  const least = (rate: number, seconds: number) => rate / (1 + unseen({ rate, seconds }))
  const { confirmed } = confirming
  const byTrials = least(low, trialSeconds)
  const byRuns = typeof confirmed === 'number' ? Math.min(low, least(confirmed, runSeconds)) : 0
  // What lies within the interval may be held or missed: it is no news.
  const missed = missedIn(confirming).filter((rate) => rate <= low)
  if (missed.length === 0) return from(Math.max(byTrials, byRuns))
  if (missed.length < contradicting) return from(Math.min(byTrials, ...missed))
  const held = confirmed === 'late' ? least(lower, trialSeconds) : byRuns
  return from(Math.min(byTrials, held))
}
