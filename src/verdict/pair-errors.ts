import { percent } from '../number.ts'
import {
  centreGreater,
  centreInterval,
  centreOf,
  type ExperimentalUnit
} from '../statistics/centre.ts'
import { clopperPearson } from '../statistics/clopper-pearson.ts'
import type { Block, Trial } from './trial.ts'

/** Shares of requests that failed, and by how much more of B's may. */
export type ErrorShares = {
  a: number
  b: number
  /** Interval for the share of B's less that of A's. */
  more: { low: number; high: number }
}

/** B may fail this much more often before it counts, however sure that is. */
const errorBudget = 0.001

const sum = (trials: readonly Trial[], of: (trial: Trial) => number) =>
  trials.reduce((total, trial) => total + of(trial), 0)

const counted = (trials: readonly Trial[]) => ({
  events: sum(trials, ({ failures }) => failures),
  draws: sum(trials, ({ requests }) => requests)
})

function failureShare(trials: readonly Trial[]): number {
  const { events, draws } = counted(trials)
  return draws === 0 ? 0 : events / draws
}

const armOf = (pairs: Block, arm: 'a' | 'b') => pairs.map((pair) => pair[arm])

/** By how much more often B failed, a number for each block. */
const moreOf = (blocks: readonly Block[]) =>
  blocks.map((pairs) => failureShare(armOf(pairs, 'b')) - failureShare(armOf(pairs, 'a')))

/** What is judged, and by what. */
export type ErrorTerms = { level: number; unit?: ExperimentalUnit | undefined }

/**
 * Shares of both, and an interval for the difference: no narrower than independent requests would
 * have it, of which none failing still says only so much, nor than what blocks differ by.
 */
export function errorsOf(
  blocks: readonly Block[],
  { level, unit = 'pair' }: ErrorTerms
): ErrorShares {
  const [one, other] = (['a', 'b'] as const).map((arm) => {
    const trials = blocks.flatMap((pairs) => armOf(pairs, arm))
    const given = { ...counted(trials), confidence: 1 - level }
    const { low, high } = given.draws === 0 ? { low: 0, high: 1 } : clopperPearson(given)
    return { share: failureShare(trials), low, high }
  })
  const [a, b] = [one!, other!]
  const difference = b.share - a.share
  const differences = moreOf(blocks)
  const between = centreInterval(differences, { confidence: 1 - level, unit })
  const centre = centreOf(differences, unit)
  // Newcombe's interval of two independent shares.
  const below = Math.hypot(b.share - b.low, a.high - a.share)
  const above = Math.hypot(b.high - b.share, a.share - a.low)
  const reach = (end: number) => (Number.isFinite(end) ? Math.abs(end - centre) : 1)
  return {
    a: a.share,
    b: b.share,
    more: {
      low: Math.max(-1, difference - Math.max(below, reach(between.low))),
      high: Math.min(1, difference + Math.max(above, reach(between.high)))
    }
  }
}

/** Whether B surely fails more often than A, and by more than is nothing. */
export function failsMore(blocks: readonly Block[], { level, unit = 'pair' }: ErrorTerms): boolean {
  const trials = (arm: 'a' | 'b') => blocks.flatMap((pairs) => armOf(pairs, arm))
  const more = failureShare(trials('b')) - failureShare(trials('a'))
  return more > errorBudget && centreGreater(moreOf(blocks), unit) < level / 2
}

/** Whether B failed more often than A by more than is nothing, sure or not. */
export const failedMore = ({ a, b }: ErrorShares) => b - a > errorBudget

/** Both shares in words. */
export const failuresText = ({ a, b }: ErrorShares) =>
  `${percent(b)} of B's requests failed, ${percent(a)} of A's`
