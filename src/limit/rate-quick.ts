import { tooFast } from './rate-concurrency.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { inMs, meets, middle, type Span } from './rate-span.ts'

/** No window is as short: what takes less to fill is a bucket. */
export const shortestMs = 60

/** A longer spacing is known well enough without. */
const longestMs = 1_000

/** How many tokens are waited for after each of two rests. */
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

/**
 * Plain spacing, measured once more: each token is due a spacing after the one before was taken,
 * which was after a refusal and before an acceptance, so that all of them together bound it.
 */
export function* spaced(asking: RateAsker, found: RateLimit): Questions<RateLimit> {
  const { algorithm, burst, windowMs } = found
  if (algorithm !== 'token-bucket' || burst !== 1 || windowMs === undefined) return found
  if (windowMs > longestMs) return found
  const spans: Span[] = []
  let before = yield* asking.release(asking.now, () => windowMs / 40)
  for (let nth = 0; nth < tokens; nth++) {
    const next = yield* asking.release(asking.now + windowMs / 2, () => windowMs / 40)
    if (next.from > before.sent) {
      spans.push({ from: next.from - before.to, to: next.to - before.sent })
    }
    before = next
  }
  const all = {
    from: Math.max(...spans.map(({ from }) => from)),
    to: Math.min(...spans.map(({ to }) => to))
  }
  if (!(all.from <= all.to && meets(all, { from: 0.8 * windowMs, to: 1.25 * windowMs }))) {
    return found
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
