import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { inMs } from './rate-span.ts'

/** How many a second have to be accepted, unless somebody says otherwise, to show no limit. */
export const usualUpTo = 1_000

/** For how long it is asked at first, before it is looked at what came of it, in ms. */
export const lookMs = 3_000

/** How many may be in flight so as to ask faster, and for how many ms each number of them is. */
const mostInFlight = 256
const widerMs = 2_000

/** For how long it is asked as fast as it goes where nothing was refused, in ms. */
const longestMs = 60_000

/** What takes longer than this, and others do not, waits, in ms. */
const heldMs = 4_000

/** How many are needed before they say anything about a rate. */
const fewest = 20

/**
 * Asks on after a burst in which nothing was refused: with more in flight where that was not fast
 * enough, and then for as long as there are requests left.
 */
export function* untilRefused(asking: RateAsker, first: Burst, upTo: number): Questions<Burst> {
  let whole = first
  // A burst that ended before its time and without a refusal has used up what may be sent.
  let isSpent = first.tookMs < lookMs / 2
  while (!isSpent && perSecondOf(whole) < upTo && asking.inFlight < mostInFlight) {
    asking.soFar = unlimited(whole, asking, upTo)
    asking.inFlight = Math.min(mostInFlight, 4 * asking.inFlight)
    const wider = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: widerMs })
    if (wider.refused) return wider
    isSpent = wider.tookMs < widerMs / 2
    if (perSecondOf(wider) > perSecondOf(whole)) whole = wider
  }
  if (isSpent || perSecondOf(whole) < upTo) return whole
  asking.soFar = unlimited(whole, asking, upTo)
  const rest = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: longestMs })
  const tookMs = rest.accepted === 0 ? whole.tookMs : whole.tookMs + rest.tookMs
  return { ...rest, accepted: whole.accepted + rest.accepted, tookMs, first: whole.first }
}

function perSecondOf({ accepted, tookMs }: Burst): number {
  return (accepted / Math.max(tookMs, 1)) * 1_000
}

/** What is said where nothing was refused: that there is no limit only if it was asked so fast. */
export function unlimited(burst: Burst, asking: RateAsker, upTo: number): RateLimit {
  const { inFlight, remark } = asking
  const { accepted, tookMs } = burst
  if (accepted === 0) {
    return { algorithm: 'unclear', because: 'nothing was answered clearly', repeats: '0/0' }
  }
  const seen = remark === undefined ? '' : `, ${remark}`
  const all = `all ${accepted.toLocaleString('en')} in ${inMs(tookMs)} were accepted${seen}`
  const perSecond = perSecondOf(burst)
  if (accepted >= fewest && perSecond >= upTo) {
    return { algorithm: 'none', perSecond, because: all, repeats: '1/1' }
  }
  if (accepted < fewest) {
    return { algorithm: 'unclear', because: `${all}, too few to tell a rate by`, repeats: '0/1' }
  }
  const waits = burst.seen.map(({ sent, answered }) => answered - sent)
  const [least, most] = [Math.min(...waits), Math.max(...waits)]
  if (most > heldMs && most > 5 * least) {
    const held = `answers took ${inMs(least)} to ${inMs(most)} with ${inFlight} in flight`
    const because = `${all}, but ${held}: they wait for each other, in no way that is known`
    return { algorithm: 'unclear', perSecond, because, repeats: '0/1' }
  }
  const speed = `${Number(perSecond.toPrecision(3)).toLocaleString('en')} a second`
  const because =
    `${all}, but it was not asked fast enough: ${speed} with ${inFlight} in flight, ` +
    `less than ${upTo.toLocaleString('en')}; a limit above that would not be seen (--up-to rate=N)`
  return { algorithm: 'unclear', perSecond, because, repeats: '0/1' }
}
