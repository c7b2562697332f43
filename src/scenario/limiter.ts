import type { Reply } from '../client/reply.ts'
import { type Clock, clock as machineClock } from '../clock.ts'
import type { AskedOnce } from '../limit/fit/asked-once.ts'
import { fitting } from '../limit/fit/fitting.ts'
import { askRound, inOrder, type LimiterAsked } from './limiter-round.ts'
import type { Judge } from './scenario.ts'

export type { StatedLimiter } from '../limit/fit/stated-limiter.ts'
export type { LimiterAsked } from './limiter-round.ts'

/** How often a rest and what follows it may be repeated until it tells, and how often it is. */
const rounds = { least: 2, doubtful: 8, most: 8 }

/** Of a window as long as this one round may be enough, in ms. */
const longMs = 4_000

/** For how long no further round is begun, in ms. */
const mostMs = 90_000

/** No multiples of this part are near each other. */
const golden = 0.618

/**
 * Judges a limit on rates: how many are accepted at once, how fast and in which manner they come
 * back. Says nothing where a limit that is one unit off, or of another kind, would have done the
 * same as far as could be seen. The scenario has to run alone, and to expect the refusal.
 */
export async function judgeLimiter(
  asked: LimiterAsked,
  { verify, leave }: Judge,
  clock: Clock = machineClock
): Promise<void> {
  const { clause, accepted, refused } = asked
  const since = clock.now()
  const seen: AskedOnce[] = []
  const counts: number[] = []
  const told: { last?: Reply; odd?: Reply } = {}
  const once = async (): Promise<AskedOnce[]> => {
    const sent = clock.now()
    const reply = await asked.ask()
    told.last = reply
    const isAccepted = reply.status === accepted
    const isOdd = !isAccepted && reply.status !== refused
    if (isOdd) told.odd = reply
    return isOdd ? [] : [{ sent, answered: clock.now(), isAccepted }]
  }
  const together = async (count: number) => {
    const from = clock.now()
    const all = (await Promise.all(Array.from({ length: count }, once))).flat()
    seen.push(...inOrder(all))
    const taken = all.filter(({ isAccepted }) => isAccepted).length
    return { taken, tookMs: clock.now() - from }
  }
  let result = fitting(asked, seen)
  for (let nth = 0; nth < rounds.most && !told.odd; nth++) {
    // At another place of a window each time, lest two kinds should meet at the same one again,
    // and of the time in which a token comes, of which most windows are a multiple.
    const windows = 0.6 * ((nth * golden) % 1) + ((nth * golden ** 2) % 1) / asked.burst
    await clock.until(clock.now() + restMs(asked) + windows * asked.windowMs)
    counts.push(await askRound(asked, { together, clock, nth }))
    const least = asked.windowMs > longMs ? 1 : rounds.least
    if (nth + 1 < least) continue
    result = fitting(asked, seen)
    const enough = result.isDoubtful ? rounds.doubtful : least
    const isEnough = result.verdict !== 'open' && nth + 1 >= enough
    if (isEnough || clock.now() - since > mostMs) break
  }
  // Who is asked next whether the service works is not to be refused for all this.
  await clock.until(clock.now() + restMs(asked))
  const saw = `${counts.join(', ')} were accepted at once; ${result.saw}`
  const { last, odd } = told
  if (odd) leave(clause, `one was answered ${odd.because}`, odd)
  else if (result.verdict === 'open') leave(clause, `${saw} would do the same`, last!)
  else verify(clause, { holds: result.verdict === 'holds', saw }, last!)
}

/** After how long all is back, in ms; what a counter counted counts for two windows. */
function restMs({ algorithm, windowMs }: LimiterAsked): number {
  return Math.ceil((algorithm === 'sliding-counter' ? 2.1 : 1.2) * windowMs) + 200
}
