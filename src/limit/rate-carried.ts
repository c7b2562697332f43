import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { middle } from './rate-span.ts'

/** How well a window is known, as a part of the time since one was seen to begin. */
const drift = 0.005

/** How many times as many as in a window are more than one takes, and how many beside. */
const beyond = { times: 1.25, more: 2 }

/**
 * A window by the clock that takes more than it ever did once less was asked than it allows: what
 * is not used is carried over. It is used up right after it was asked at a slower pace for a while.
 * Undefined of others, or where it takes no more, or may have ended meanwhile.
 */
export function* carriedOver(
  asking: RateAsker,
  { reference }: Pace,
  { anchor, burst = 0, windowMs = 0, because, repeats }: RateLimit
): Questions<RateLimit | undefined> {
  if (anchor !== 'clock' || burst < 1) return
  const slackMs = drift * (asking.now - middle(reference)) + reference.to - reference.from
  // Where the window is about to end it is asked in the next.
  const gone = Math.floor((asking.now + 2 * slackMs - middle(reference)) / windowMs)
  const began = middle(reference) + gone * windowMs
  if (slackMs > windowMs / 4) return
  const last = yield* asking.burst(Math.max(asking.now, began + slackMs))
  if (!last.refused || last.refused.to > began + windowMs - slackMs) return
  const own = asking.record.filter(({ kind, sent, answered }) => {
    return kind === 'accepted' && sent >= began + slackMs && answered < began + windowMs
  })
  if (own.length <= beyond.times * burst + beyond.more) return
  const many = `${own.length} were accepted in one after less was asked for a while`
  const why = `${because}; but ${many}: what is not used may be carried over`
  return { algorithm: 'unclear', status: asking.status, because: why, repeats }
}
