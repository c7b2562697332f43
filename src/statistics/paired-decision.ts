import {
  centreInterval,
  centreOf,
  type ExperimentalUnit,
  fewestOf,
  type KnownOfProcesses
} from './centre.ts'
import type { Interval } from './interval.ts'
import type { Looks } from './looks.ts'

/** What a comparison must be able to tell, on the log scale: `Math.log(1.05)` for five percent. */
export type Margins = {
  /** Differences up to here also come from comparing a target with itself. */
  nothing: number
  /** The slow-down that is not to be let through. */
  budget: number
}

/** What the differences so far say of B against A. */
export type PairedVerdict =
  | 'regressed'
  | 'slower-within-budget'
  | 'no-regression'
  | 'improved'
  | 'continue'
  | 'inconclusive'

/** A verdict, the difference it rests on, and how many pairs are still missing for one. */
export type PairedDecision = {
  verdict: PairedVerdict
  /** Centre of the differences and its interval, on the log scale: `Math.exp` makes them ratios. */
  estimate: number
  interval: Interval
  pairs: number
  /** While continuing, pairs to the next look; when inconclusive, how many would probably do. */
  furtherPairs: number
}

function conclusion(
  estimate: number,
  { low, high }: Interval,
  { nothing, budget }: Margins
): PairedVerdict | undefined {
  if (low > nothing && estimate >= budget) return 'regressed'
  if (high < -nothing && estimate <= -budget) return 'improved'
  if (low > nothing && high < budget) return 'slower-within-budget'
  return high < budget ? 'no-regression' : undefined
}

type SoFar = Omit<PairedDecision, 'verdict' | 'furtherPairs'>

/**
 * Pairs at which the interval, which narrows with their root, ends at the margin it now crosses.
 */
function pairsWanted({ estimate, interval, pairs }: SoFar, { nothing, budget }: Margins): number {
  const isOver = estimate >= budget
  const reach = isOver ? estimate - interval.low : interval.high - estimate
  const room = isOver ? estimate - nothing : budget - estimate
  return Math.ceil(pairs * (reach / room) ** 2)
}

/**
 * Decides on paired log-ratios, positive where B is worse, when a look is due: `regressed` when B
 * is surely worse by more than nothing and by the budget at best estimate, `no-regression` when
 * surely by less than the budget. Between looks it only continues. Assumes pairs in random order,
 * so that the differences are symmetric and independent; looks from `pocock`. Of processes, what is
 * known besides tells how much starts differ, and what outlives them. Errors: README.
 */
export function pairedDecision(
  differences: readonly number[],
  looks: Looks,
  margins: Margins,
  unit: ExperimentalUnit = 'pair',
  known: KnownOfProcesses = {}
): PairedDecision {
  if (!differences.every(Number.isFinite)) throw new RangeError('a difference is not a number')
  const pairs = differences.length
  const estimate = centreOf(differences, unit)
  const interval = centreInterval(differences, { confidence: 1 - looks.level, unit, ...known })
  const soFar = { estimate, interval, pairs }
  const nextLook = looks.at.find((look) => look > pairs)
  const isDue = nextLook === undefined || looks.at.includes(pairs)
  const verdict = isDue ? conclusion(estimate, interval, margins) : undefined
  if (verdict) return { verdict, ...soFar, furtherPairs: 0 }
  if (nextLook !== undefined)
    return { verdict: 'continue', ...soFar, furtherPairs: nextLook - pairs }
  const isBounded = Number.isFinite(interval.low)
  const wanted = isBounded ? pairsWanted(soFar, margins) : fewestOf(unit, looks.level)
  return { verdict: 'inconclusive', ...soFar, furtherPairs: Math.max(1, wanted - pairs) }
}
