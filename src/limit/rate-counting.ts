import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { inMs } from './rate-span.ts'
import { type LimiterTrial, windowOf } from './rate-trial.ts'

/**
 * Whether refused requests count: silence as long as the window makes the target accept again, and
 * asking all the time does not, however long. A limiter that forgets refusals cannot do that.
 */
export function* refusalsCounted(asking: RateAsker, known: Pace): Questions<RateLimit | undefined> {
  const silenceMs = 1.1 * windowOf(known).to
  for (let round = 0; round < 2; round++) {
    const rested = yield* asking.burst(asking.now + silenceMs)
    if (rested.accepted < 0.5 * known.level || !rested.refused) return
    const until = asking.now + 4 * silenceMs
    while (asking.now < until) {
      const one = yield* asking.burst(asking.now + silenceMs / 300, 1)
      if (one.accepted > 0) return
    }
  }
  const rested = yield* asking.burst(asking.now + silenceMs)
  if (rested.accepted < 0.5 * known.level) return
  return counting(asking, silenceMs)
}

/** What is said of a target that accepts again after so long a silence, but not while asked. */
function counting({ status }: RateAsker, silenceMs: number): RateLimit {
  const because =
    `refused requests count: after ${inMs(silenceMs)} of silence it accepts again, ` +
    'but not while it is asked'
  return { algorithm: 'unclear', countsRefused: true, status, because, repeats: '2/2' }
}

/** Whether a trial's refusal ended later than any limiter's would that forgets what it refused. */
export function isLate({ release, start }: LimiterTrial, known: Pace): boolean {
  // As few as that may also have been the last of what was asked before.
  const isSure = !known.isGradual && known.level >= 5
  return isSure && release.from - start.to > 1.3 * windowOf(known).to
}
