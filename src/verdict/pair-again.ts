import { isPassing, type PairConclusion, type PairTerms } from './judge-pair.ts'
import { failedMore } from './pair-errors.ts'
import { guardedWorse } from './pair-guard.ts'
import type { PairMetric } from './pair-metric.ts'

/** What has to be seen twice, and which way it says that B differs. */
const twice: Partial<Record<PairConclusion['verdict'], PairConclusion['differs']>> = {
  regressed: 'worse',
  improved: 'better'
}

/** Whether a verdict is one that counts only when it was seen again. */
export const isToBeConfirmed = ({ verdict }: PairConclusion) => twice[verdict] !== undefined

/**
 * A tail is suspected where luck has a chance of so much, and so again; all blocks decide, and
 * leave it open where it has so small a chance in them.
 */
const suspicion = { first: 0.2, again: 0.5, open: 0.05 }

/** The terms by which something is found at first: tails take long to show, so by a suspicion. */
export const termsFirst = (terms: PairTerms): PairTerms => ({
  ...terms,
  shape: { level: suspicion.first, isFirst: true }
})

/**
 * The terms by which a first finding is looked at again: nothing beside it may confirm it, nor a
 * mere suspicion of its shape where a gate is what was found.
 */
export function termsAgain(terms: PairTerms, first: PairConclusion): PairTerms {
  const { worse, besides = [], shape } = first
  const level = worse === undefined ? terms.looks.level : suspicion.again
  const beyond = shape && { shape: { level, beyond: shape.beyond } }
  return { ...terms, guards: worse?.metrics ?? besides, ...beyond }
}

/** What was seen once, in words, whose figures are those of the blocks until then. */
function lookOf({ verdict, because, worse, blocks }: PairConclusion): string {
  const looked = `after ${blocks} blocks B looked`
  if (verdict === 'improved') return `${looked} better by the budget`
  return worse === undefined ? `${looked} worse by the budget` : `${looked} worse (${because})`
}

/** Whether a gate is not about requests. */
const isSpent = (metric: PairMetric) => metric === 'cpu' || metric === 'rss'

/**
 * Whether fresh blocks show what was seen at first: the same gate to differ the same way, or what
 * was worse beside the gates to be so again, or a gate that is slower: where nothing changed both
 * looks have to err, whichever they name. Failures are no noise: it is enough that more fail again,
 * since all blocks have to say that it is surely so.
 */
function isSeenAgain(first: PairConclusion, fresh: PairConclusion): boolean {
  if (first.worse?.metric === 'errors') return failedMore(fresh.errors)
  const isSame = fresh.verdict === first.verdict
  const before = first.worse?.metrics ?? first.besides ?? []
  if (isSame && (fresh.worse?.metrics ?? []).some((metric) => before.includes(metric))) return true
  if (first.worse !== undefined) {
    return (
      isSame && fresh.gates.some((gate) => gate.verdict === first.verdict && !isSpent(gate.metric))
    )
  }
  if (!isSame && fresh.verdict !== 'inconclusive') return false
  return first.gates
    .filter(({ verdict }) => verdict === first.verdict)
    .some(({ metric }) => {
      const gate = fresh.gates.find((one) => one.metric === metric)
      return gate?.verdict === first.verdict || gate?.differs === twice[first.verdict]
    })
}

/** Figures of which nothing is concluded, by none of the gates either. */
export const undecided = (all: PairConclusion, because: string): PairConclusion => ({
  ...all,
  ...{ verdict: 'inconclusive', because },
  gates: all.gates.map((gate) =>
    twice[gate.verdict] ? { ...gate, verdict: 'inconclusive' } : gate
  )
})

/** What is said of a first look that could not be repeated, with the figures of all blocks. */
export const unrepeated = (first: PairConclusion, all = first): PairConclusion =>
  undecided(all, `${lookOf(first)}, and there was no time to see that again`)

/**
 * What a comparison ends with: nothing got worse only where nothing beside the gates is suspected
 * of it, by its budget at best estimate. Few starts leave it at a suspicion.
 */
export function unlessSuspected(
  all: PairConclusion,
  { margins }: Pick<PairTerms, 'margins'>
): PairConclusion {
  const given = {
    gating: all.gates.map(({ metric }) => metric),
    budget: margins.budget,
    levels: { found: suspicion.open, sure: suspicion.open },
    shape: all.shape
  }
  const worse = isPassing(all) ? guardedWorse(all.metrics, given) : undefined
  if (worse === undefined) return all
  return undecided(all, `${worse.because}; that may be chance, and a longer --time tells`)
}

/**
 * Judges a regression, or an improvement, by what was measured again on fresh connections or
 * processes, and by both together: it counts when fresh blocks show the same, and all of them that
 * it is so by the budget. Fewer blocks than can show anything, `isEnough` not, contradict nothing:
 * there was no time, but for failures.
 */
export function judgeAgain(
  first: PairConclusion,
  fresh: PairConclusion,
  pooled: PairConclusion,
  isEnough = true
): PairConclusion {
  const areFailures = first.worse?.metric === 'errors'
  const isSame = areFailures ? pooled.worse?.metric === 'errors' : pooled.verdict === first.verdict
  const unfounded = `${pooled.because}; ${lookOf(first)}, and all do not show that`
  if (isSeenAgain(first, fresh) && isSame) return pooled
  // What was only suspected, and all blocks together do not show, was nothing.
  if (first.worse?.isSuspicion && !isToBeConfirmed(pooled)) return { ...pooled, because: unfounded }
  // Failures are no noise: faster or not, who fails more again, and surely in all, is worse.
  const failsAgain = pooled.worse?.metric === 'errors' && failedMore(fresh.errors)
  if (first.verdict === 'improved' && failsAgain) return pooled
  // It may well be better again: what speaks against it is what all blocks show besides.
  if (first.verdict === 'improved' && pooled.worse !== undefined)
    return undecided(pooled, `${lookOf(first)}, and all blocks show: ${pooled.worse.because}`)
  if (!isEnough) return unrepeated(first, pooled)
  return undecided(pooled, `${lookOf(first)}, and not again when all was made anew`)
}
