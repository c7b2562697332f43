import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'

/**
 * Asks one after another, since refusals may depend on how many requests are in flight; twice,
 * since a window may have ended meanwhile. The latest burst that was refused, if they do not.
 */
export function* askedAlone(asking: RateAsker, first: Burst): Questions<RateLimit | Burst> {
  const together = asking.inFlight
  let burst = first
  for (let round = 0; round < 2; round++) {
    // With many rounds of as many in flight accepted, it was not their number that was refused.
    if (together === 1 || burst.accepted > 10 * together || !burst.refused) return burst
    asking.inFlight = 1
    const alone = yield* asking.burst(0, Math.max(2 * burst.accepted, 50))
    const isCrowd = burst.accepted <= together && alone.accepted >= 2 * together
    if (!alone.refused || !isCrowd) asking.inFlight = together
    if (alone.refused) return burst
    if (round === 0) burst = yield* asking.burst(0)
  }
  return crowded(asking)
}

/** What is said of refusals that do not occur when asked one after another. */
export function crowded({ inFlight, status }: RateAsker): RateLimit {
  const because =
    `refusals depend on how many are in flight: with ${inFlight} some were refused, ` +
    'one after another none'
  return { algorithm: 'unclear', status, because, repeats: '2/2' }
}
