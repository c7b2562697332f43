import { one, rangeText, rateText, type SearchPart, width } from './capacity-part.ts'
import { type CapacityKnown, changed, type Unsteady } from './capacity-unsteady.ts'
import type { RateTrial } from './rate-trial.ts'

/** How long a trial and the whole search take, the highest rate, and where trials are kept. */
type Terms = { trialSeconds: number; seconds: number; highest: number; trials: RateTrial[] }

/** Of the time, what asking again takes at most, and leaving in peace; by when both are over. */
const shares = { again: 0.25, peace: 0.4, end: 0.95 }

/** Seconds of load that are left of the time, up to a share of it. */
function secondsLeft({ seconds, trials }: Terms, share: number): number {
  const spent = trials.reduce((sum, trial) => sum + trial.seconds, 0)
  return Math.min(seconds * share, seconds * shares.end - spent)
}

/** So many trials in a row that contradict the interval say that it is no longer true. */
const contradicting = 3

/**
 * Asks again, for what is left of the time, whether it is still so: a target that warms up for
 * long, or wanders for longer than a trial, was measured in one stretch and is another by then.
 * One that did not recover from overload is left in peace instead, to see how long that takes.
 */
export function* recheck(known: CapacityKnown, terms: Terms): SearchPart<CapacityKnown> {
  const { interval, unsteady } = known
  if (interval === undefined) return known
  if (unsteady?.heldBefore !== undefined) {
    const because = yield* recovery(unsteady, { ...terms, peaceful: interval[0] / 2 })
    return { interval, unsteady: { ...unsteady, because } }
  }
  return unsteady ? known : yield* contradiction(interval, terms)
}

/** Asks just above and just below the interval, by turns. */
function* contradiction([low, high]: [number, number], terms: Terms): SearchPart<CapacityKnown> {
  const { trialSeconds, highest, trials } = terms
  const asked = [
    { rate: high * (1 + width), wrong: 'held', times: 0 },
    { rate: low / (1 + width), wrong: 'missed', times: 0 }
  ].filter(({ rate }) => rate <= highest)
  const most = Math.floor(secondsLeft(terms, shares.again) / trialSeconds)
  for (let nth = 0; nth < most && asked.length > 0; nth++) {
    const side = asked[nth % asked.length]!
    const { rate, wrong } = side
    const trial = yield* one({ purpose: 'recheck', rate, seconds: trialSeconds }, trials)
    if (trial === undefined) break
    if (trial.outcome === 'unoffered') continue
    side.times = trial.outcome === wrong ? side.times + 1 : 0
    if (side.times < contradicting) continue
    const unsteady = changed(
      `${rangeText({ low, high })} at first, then ${rateText(rate)} was ${wrong} ` +
        `${contradicting} times in a row`
    )
    const ends: [number, number] =
      wrong === 'held' ? [low, rate * (1 + width)] : [rate / (1 + width), high]
    return { interval: ends, unsteady }
  }
  return { interval: [low, high] }
}

/**
 * Overruns it once more, asks for little, ever longer, and then for what was held before; says when
 * it was again. What misses that has overrun it, too.
 */
function* recovery(
  { because, heldBefore = 0 }: Unsteady,
  terms: Terms & { peaceful: number }
): SearchPart<string> {
  const { trialSeconds, trials, peaceful } = terms
  const ask = (rate: number, lasts: number) =>
    one({ purpose: 'recheck', rate, seconds: lasts }, trials)
  const missed = trials.flatMap(({ rate, outcome }) => (outcome === 'missed' ? rate : []))
  if ((yield* ask(Math.max(...missed), trialSeconds)) === undefined) return because
  let inVain = 0
  let left = secondsLeft(terms, shares.peace)
  for (let rests = trialSeconds; left >= rests + trialSeconds; rests *= 2) {
    if ((yield* ask(peaceful, rests)) === undefined) break
    const again = yield* ask(heldBefore, trialSeconds)
    if (again === undefined) break
    const span = `${secondsText(inVain)} … ${secondsText(rests)} s`
    if (again.outcome === 'held') return `${because}; left in peace it recovered in ${span}`
    left -= rests + trialSeconds
    inVain = rests
  }
  if (inVain === 0) return because
  return `${because}; left in peace for ${secondsText(inVain)} s it did not recover`
}

const secondsText = (seconds: number) => String(Number(seconds.toPrecision(2)))
