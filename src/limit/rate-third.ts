import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'

/** How much more slowly it is asked than the slower of two lets through, and for how long in ms. */
const below = 0.92
const forMs = 14_000

/** How many tokens it waits for before, so that none is refused for coming a little early. */
const ahead = 3

/** How many have to be refused. */
const enough = 3

/**
 * Two buckets, one behind the other, behind which there is a third: it refuses those that come more
 * slowly than both let through. The two stand in `told`; undefined where none was refused.
 */
export function* thirdBehind(asking: RateAsker, told: RateLimit): Questions<RateLimit | undefined> {
  const { perSecond } = told.behind ?? {}
  if (perSecond === undefined) return
  asking.soFar = told
  const paceMs = 1_000 / (below * perSecond)
  const until = asking.now + forMs + ahead * paceMs
  let [asked, refused] = [0, 0]
  for (let next = asking.now + ahead * paceMs; next < until; next = asking.now + paceMs) {
    const burst = yield* asking.burst(next, 1)
    asked++
    if (burst.refused) refused++
    if (refused < enough) continue
    const pace = Number((1_000 / paceMs).toPrecision(2)).toLocaleString('en')
    const seen = `asked ${pace} a second, ${refused} of ${asked} were refused`
    const because = `${told.because}; but ${seen}: there is a third behind`
    const { status, repeats } = told
    return { algorithm: 'unclear', status, because, repeats }
  }
  return
}
