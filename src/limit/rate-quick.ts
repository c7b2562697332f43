import { crowded } from './rate-crowd.ts'
import { inMs } from './rate-finding.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Pace } from './rate-pace.ts'
import type { Asking, Questions } from './rate-question.ts'
import { middle } from './rate-span.ts'

/** No window is as short: what takes less to fill is a bucket. */
export const shortestMs = 60

/**
 * A bucket that fills too soon for trials: what it takes after a rest, and in the long run. Its
 * rate comes out low by up to half an answer's time in the spacing.
 */
export function* quick(asking: Asking, known: Pace): Questions<RateLimit | undefined> {
  const rested = yield* asking.burst(asking.now + 10 * shortestMs)
  const since = asking.now
  const forMs = Math.max(200, 40 * middle(known.spacing))
  let count = 0
  while (asking.now < since + forMs) count += (yield* asking.burst(asking.now)).accepted
  const spacingMs = (asking.now - since) / Math.max(count, 1)
  const level = Math.max(1, Math.ceil(rested.accepted - rested.tookMs / spacingMs))
  if (level * spacingMs > shortestMs) return
  const together = asking.inFlight
  asking.inFlight = 1
  const alone = yield* asking.burst(0, 50)
  asking.inFlight = together
  if (!alone.refused) return crowded(asking)
  const spaced = `one every ${inMs(spacingMs)}`
  return {
    algorithm: 'token-bucket',
    burst: level,
    perSecond: 1_000 / spacingMs,
    windowMs: level * spacingMs,
    status: asking.status,
    because: `${spaced}, and ${level} at once after a rest: no window is that short`,
    repeats: '1/1'
  }
}
