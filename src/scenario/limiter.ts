import type { Reply } from '../client/reply.ts'
import { type Clock, clock as machineClock } from '../clock.ts'
import type { AskedOnce } from '../limit/fit/asked-once.ts'
import { fitting, type StatedLimiter, unitOf } from '../limit/fit/fitting.ts'
import type { Judge } from './scenario.ts'

export type { StatedLimiter } from '../limit/fit/fitting.ts'

/** A limit on rates to be judged: its clause, how it is asked, and what the answers mean. */
export type LimiterAsked = StatedLimiter & {
  clause: string
  ask: () => Promise<Reply>
  /** Statuses of what is accepted and of what is refused, 0 for a connection that is closed. */
  accepted: number
  refused: number
}

/** How often a rest and what follows it may be repeated until it tells, and how often it is. */
const rounds = { least: 2, doubtful: 8, most: 8 }

/** Of a window as long as this one round may be enough, in ms. */
const longMs = 10_000

/** For how long no further round is begun, in ms. */
const mostMs = 90_000

/** No multiples of this part are near each other. */
const golden = 0.618

/** For how long at least it is asked until something is refused, in ms. */
const slowMs = 3_000

/** What a wait for the next acceptance may be off, in ms: an answer is on its way as well. */
const onTheWayMs = 10

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
  let last: Reply | undefined
  const once = async () => {
    const sent = clock.now()
    last = await asked.ask()
    const isAccepted = last.status === accepted
    if (isAccepted || last.status === refused) {
      seen.push({ sent, answered: clock.now(), isAccepted })
    }
    return isAccepted
  }
  const isOdd = () => last !== undefined && ![accepted, refused].includes(last.status)
  let result = fitting(asked, seen)
  for (let nth = 0; nth < rounds.most && !isOdd(); nth++) {
    // At another place of a window each time, lest two kinds should meet at the same one again.
    const laterMs = 0.6 * asked.windowMs * ((nth * golden) % 1)
    await clock.until(clock.now() + restMs(asked) + laterMs)
    counts.push(await round(asked, once, clock))
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
  if (isOdd()) leave(clause, `one was answered ${last!.because}`, last!)
  else if (result.verdict === 'open') leave(clause, `${saw} would do the same`, last!)
  else verify(clause, { holds: result.verdict === 'holds', saw }, last!)
}

/** After how long all is back, in ms; what a counter counted counts for two windows. */
function restMs({ algorithm, windowMs }: LimiterAsked): number {
  return Math.ceil((algorithm === 'sliding-counter' ? 2.1 : 1.2) * windowMs) + 200
}

/**
 * Asks until refused, of a window for one half and a quarter of it later for the other, and from
 * then on for whatever comes back; returns how many were accepted up to the first refusal.
 */
async function round(
  asked: LimiterAsked,
  once: () => Promise<boolean>,
  clock: Clock
): Promise<number> {
  const { algorithm, burst, windowMs } = asked
  const isBucket = algorithm === 'token-bucket'
  const everyMs = windowMs / burst
  const gapMs = isBucket ? everyMs / 8 : windowMs / 150
  const begun = clock.now()
  // Who asks more slowly than all comes back is never refused, and that tells nothing.
  const end = begun + Math.max(slowMs, 2 * windowMs)
  const isEnd = (count: number, until: number) => {
    return count > 2 * burst + (clock.now() - begun) / everyMs || clock.now() >= until
  }
  const half = isBucket ? 0 : Math.floor(burst / 2)
  let count = 0
  while (count < half && (await once())) count++
  if (half > 0) await clock.until(begun + windowMs / 4)
  while (!isEnd(count, end) && (await once())) count++
  const until = clock.now() + stretchMs(asked, gapMs)
  while (clock.now() < until) {
    await clock.until(clock.now() + gapMs)
    for (let again = 0; !isEnd(again, until) && (await once()); ) again++
  }
  return count
}

/** For how long it has to be asked until a rate would be seen that is a unit off, in ms. */
function stretchMs(asked: LimiterAsked, gapMs: number): number {
  const { algorithm, burst, windowMs } = asked
  if (algorithm === 'sliding-counter') return 3 * windowMs
  if (algorithm !== 'token-bucket') return 1.5 * windowMs
  return Math.max((3 * windowMs) / burst, (10 * (gapMs + onTheWayMs)) / unitOf(asked))
}
