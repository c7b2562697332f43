import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { middle } from './rate-span.ts'

/** How long after the last answer connections that stay are closed for sure, in ms. */
const idleMs = 1_500

/** After how many ms a refusal ends where idle connections are what it depends on. */
const endsMs = { from: 500, to: 1_700 }

/** How long after many at once the next is asked, while their connections are open, in ms. */
const openMs = 400

/** How many times as many as at once are asked one after another, and how many at least. */
const row = { times: 6, least: 50 }

/** Of how many at once, by how many are in flight, it is asked at all. */
const mostTimes = 4

/** How often all of it has to be so, and how often many at once may be taken for all that. */
const enough = 2
const mostRounds = 4

/**
 * Refusals that depend on how many connections are open, idle ones as well: each is let through
 * that is asked on one of its own while no other is open, six times as many as at once; of many
 * at once some are not, nor is the next for as long as those stay. What is given back by time,
 * however fast, would have been by then. Undefined where it is not so.
 */
export function* heldOpen(
  asking: RateAsker,
  { level, isGradual }: Partial<Pace> & { level: number }
): Questions<RateLimit | undefined> {
  const { inFlight, status, refusals } = asking
  const last = refusals.lasted.at(-1)
  const endedMs = last ? middle(last) : 0
  const isThen = endedMs >= endsMs.from && endedMs <= endsMs.to
  if (isGradual || !isThen || inFlight === 1 || level > mostTimes * inFlight) return
  const many = Math.max(row.times * level, row.least)
  let seen = 0
  for (let round = 0; round < mostRounds && seen < enough; round++) {
    const at = asking.now + idleMs
    const apart = yield* asking.burst(at, many, { inFlight: 1, isApart: true })
    // A window that may have ended with the refusal lets as many through each time that it does.
    const windows = 1 + Math.ceil(apart.tookMs / endedMs)
    if (apart.refused || apart.accepted <= level * windows) return
    const crowd = yield* asking.burst(0, mostTimes * inFlight)
    // On a busy machine some may be answered before all connections are made.
    if (!crowd.refused) continue
    const next = yield* asking.burst(asking.now + openMs, 1, { inFlight: 1 })
    if (!next.refused) return
    seen++
  }
  if (seen < enough) return
  const because =
    `refusals depend on how many connections are open, idle ones too: of ${inFlight} at once ` +
    'some were refused, and the next while those stayed open; one after another none'
  return { algorithm: 'in-flight', status, because, repeats: '2/2' }
}
