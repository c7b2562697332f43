import { crowded } from './rate-concurrency.ts'
import { inMs } from './rate-finding.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Pace } from './rate-pace.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { middle } from './rate-span.ts'

/** No window is as short: what takes less to fill is a bucket. */
export const shortestMs = 60

/** How many tokens are waited for after each of two rests. */
const tokens = 20

/**
 * A bucket that fills too soon for trials: what it takes after a rest, and in the long run, where
 * this can be seen by asking one after another. Its rate comes out low by what an answer takes.
 */
export function* quick(asking: RateAsker, known: Pace): Questions<RateLimit | undefined> {
  const one = yield* emptied(asking, known)
  const two = yield* emptied(asking, known)
  if (one.refusals === 0 || two.refusals === 0) return crowded(asking)
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
