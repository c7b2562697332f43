import { binomialTail } from '../statistics/binomial.ts'

/** What became of all requests of one target: those without an answer are among the failures. */
export type Losses = { unanswered: number; failures: number; requests: number }

/**
 * What is lost on one side, so often and so many times as often as on the other, is no chance; nor
 * are failures of which requests that fail alike would be as uneven with so little of one.
 */
const oneSided = { fewest: 2, times: 3, chance: 0.05 }

/** That B alone leaves requests without an answer, or fails them, in words; else undefined. */
export function lostByB({ a, b }: { a: Losses; b: Losses }): string | undefined {
  const { fewest, times, chance } = oneSided
  const isMore = (kind: keyof Losses) => b[kind] >= times * a[kind]
  const isUnanswered = b.unanswered >= fewest && isMore('unanswered')
  const draws = a.failures + b.failures
  const probability = b.requests / Math.max(1, a.requests + b.requests)
  const isFailing = binomialTail(b.failures, { draws, probability }) < chance
  if (!isUnanswered && !(isMore('failures') && isFailing)) return
  const kind = isUnanswered ? 'unanswered' : 'failures'
  const of = (side: Losses) => `${side[kind] || 'none'} of ${side.requests}`
  const all = isUnanswered ? `left ${of(b)} requests without an answer` : `failed ${of(b)} requests`
  return `B ${all}, warm-up counted, and A ${of(a)}`
}
