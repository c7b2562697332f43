import type { RateLimit } from './rate-limit.ts'
import type { RateAsker } from './rate-question.ts'
import { middle, middleOf } from './rate-span.ts'
import type { LimiterTrial } from './rate-trial.ts'

/** How often the clock goes on that some servers read, in ms. */
const tickMs = 1_000

/** By how much a boundary may be off, beyond what its span leaves open, in ms. */
const slackMs = 40

/** Of fewer a window and a counter cannot be told apart by how many come back. */
const leastLevel = 3

/** How many trials have to agree, and how far apart in a second they have to begin, in ms. */
const fewest = 4
const leastApartMs = 250

/**
 * A window from the first request by a clock that knows whole seconds only, as that of mod_qos: it
 * ends as a second does, and the same number of them after the first request, wherever in a second
 * that came. Undefined where that does not explain all the trials, which all gave back the whole.
 */
export function tickedWindow(
  { status }: RateAsker,
  level: number,
  trials: readonly LimiterTrial[]
): RateLimit | undefined {
  if (trials.length < fewest || level < leastLevel) return
  const ends = trials.map(({ release }) => middle(release))
  const isOff = trials.some(({ release }, index) => {
    const apartMs = ends[index]! - ends[0]!
    const offMs = Math.abs(apartMs - tickMs * Math.round(apartMs / tickMs))
    return offMs > slackMs + (release.to - release.from) / 2
  })
  if (isOff) return
  const lasted = trials.map(({ start }, index) => ends[index]! - middle(start))
  const seconds = Math.ceil((middleOf(lasted) - slackMs) / tickMs)
  const isOne = lasted.every((ms) => {
    return ms > tickMs * (seconds - 1) - slackMs && ms < tickMs * seconds + slackMs
  })
  if (!isOne || Math.max(...lasted) - Math.min(...lasted) < leastApartMs) return
  const windowMs = tickMs * (seconds - 0.5)
  const because =
    `after ${level.toLocaleString('en')} at once, all again ${seconds - 1} to ${seconds} s after ` +
    'the first, together, as a whole second of its clock begins'
  const repeats = `${trials.length}/${trials.length}`
  return {
    ...{ algorithm: 'fixed-window', burst: level, perSecond: (1_000 * level) / windowMs },
    ...{ windowMs, anchor: 'first-request', status, because, repeats }
  }
}
