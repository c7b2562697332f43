import { tooFast } from './rate-concurrency.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { common, inMs, middle, type Span } from './rate-span.ts'

/** No window is as short: what takes less to fill is a bucket. */
export const shortestMs = 60

/** A longer spacing is known well enough without. */
const longestMs = 1_000

/** How many tokens are waited for after each of two rests, and at least where there is one. */
const tokens = 20

/**
 * A bucket that fills too soon for trials: what it takes after a rest, and in the long run, where
 * this can be seen by asking one after another. Its rate comes out low by what an answer takes.
 */
export function* quick(asking: RateAsker, known: Pace): Questions<RateLimit | undefined> {
  const one = yield* emptied(asking, known)
  const two = yield* emptied(asking, known)
  if (one.refusals === 0 || two.refusals === 0) {
    const { soFar, status, inFlight } = asking
    const every = `one after another, one every ${inMs(one.spacingMs)}, none`
    const because = `${soFar.because}; ${every}: ${tooFast(inFlight)}`
    return { algorithm: 'unclear', status, because, repeats: '2/2' }
  }
  const [level, spacingMs] = [Math.min(one.level, two.level), (one.spacingMs + two.spacingMs) / 2]
  const isSteady = Math.abs(one.spacingMs - two.spacingMs) < 0.3 * spacingMs
  if (!isSteady || Math.max(one.level, two.level) * spacingMs > shortestMs) return
  if (Math.min(one.refusals, two.refusals) < 0.9 * tokens) {
    const because = `one every ${inMs(spacingMs)}, which is no slower than asking one after another`
    return { algorithm: 'unclear', status: asking.status, because, repeats: '2/2' }
  }
  const because = `one every ${inMs(spacingMs)}, and ${level} at once after a rest`
  return {
    algorithm: 'token-bucket',
    burst: level,
    perSecond: 1_000 / spacingMs,
    windowMs: level * spacingMs,
    status: asking.status,
    because: `${because}: no window is that short`,
    repeats: '2/2'
  }
}

/** How well a spacing has to be known to be told, and to be asked no more: as a part, or in ms. */
const exact = { told: { part: 0.06, ms: 1 }, sharp: { part: 0.02, ms: 0.5 } }

/** For how many ms it is asked for that at most, and for how many tokens once it can be told. */
const most = { ms: 12_000, tokens: 120 }

const golden = 0.618

/**
 * Plain spacing, measured once more: each token is due a spacing after the one before was taken,
 * which was after a refusal and before an acceptance, so that all of them together bound it. Where
 * answers take long they bound it little, and more of them more.
 */
export function* spaced(asking: RateAsker, found: RateLimit): Questions<RateLimit> {
  const { algorithm, burst, windowMs, status } = found
  if (algorithm !== 'token-bucket' || burst !== 1 || windowMs === undefined) return found
  if (windowMs > longestMs) return found
  const began = asking.now
  let all: Span = { from: 0, to: Number.POSITIVE_INFINITY }
  const isWide = ({ part, ms }: typeof exact.told) => {
    return all.to - all.from > Math.max(part * all.to, ms)
  }
  const unclear = (because: string): RateLimit => {
    return { algorithm: 'unclear', status, because, repeats: found.repeats }
  }
  const first = yield* asking.release(asking.now, () => windowMs / 40)
  let [before, counted] = [first, 0]
  const isOpen = () => {
    const isUseful = isWide(exact.told) || (isWide(exact.sharp) && counted < most.tokens)
    return isUseful && asking.now < began + most.ms
  }
  for (; counted < tokens || isOpen(); counted++) {
    // Begun elsewhere each time, they do not all miss it by as much.
    const restMs = windowMs * (0.4 + 0.2 * ((golden * counted) % 1))
    const next = yield* asking.release(asking.now + restMs, () => windowMs / 40)
    if (next.from > before.sent) {
      all = common([all, { from: next.from - before.to, to: next.to - before.sent }])
    }
    before = next
  }
  // Tokens that come by a clock are due at times of their own, but are as fast on the whole.
  if (all.from > all.to) {
    const wholeMs = (middle(before) - middle(first)) / counted
    const isSame = Math.abs(wholeMs / windowMs - 1) < exact.told.part / 2
    const row = `${found.because}, and one every ${inMs(wholeMs)} in a row`
    return isSame ? found : unclear(`${row}, each after another time: no plain spacing`)
  }
  if (isWide(exact.told)) {
    const between = `one every ${inMs(all.from)} to ${inMs(all.to)}`
    return unclear(`${between}: answers take too long, or are too uneven, to tell it more exactly`)
  }
  const everyMs = middle(all)
  return {
    ...found,
    ...{ perSecond: 1_000 / everyMs, windowMs: everyMs, because: `one every ${inMs(everyMs)}` }
  }
}

/** What a bucket gives at once after a rest, and in how many ms one more from then on. */
function* emptied(asking: RateAsker, known: Pace) {
  const { accepted, tookMs } = yield* asking.burst(asking.now + 10 * shortestMs)
  const gap = () => middle(known.spacing) / 40
  const start = yield* asking.release(asking.now, gap)
  let end = start
  let refusals = 0
  for (let nth = 0; nth < tokens; nth++) {
    const before = asking.refusedAt
    end = yield* asking.release(asking.now, gap)
    // Only what was refused first shows how fast the target is, not how fast it is asked.
    if (asking.refusedAt > before) refusals++
  }
  const spacingMs = (end.to - start.to) / tokens
  return { level: Math.max(1, Math.ceil(accepted - tookMs / spacingMs)), spacingMs, refusals }
}
