import type { Clock } from '../clock.ts'
import type { Answer } from './answer.ts'
import type { RateLimit } from './rate-limit.ts'
import type { RateQuestion, Sighting } from './rate-question.ts'
import { rateSearch } from './rate-search.ts'
import { inMs } from './rate-span.ts'

/** How to ask a target about its rate limit, and how much. */
export type RateProbeOptions = {
  /**
   * Asks one ordinary question: `rejected` is refused by a limit, `accepted` answered as usual, and
   * `unclear` anything else, of so many bytes. With `isApart` on a connection of its own, which is
   * closed after it.
   */
  ask: (isApart: boolean) => Promise<Answer & { bytes?: number }>
  clock: Clock
  /** At most so many requests in all, and for so many milliseconds. */
  mostRequests: number
  mostMs: number
  /** How many are in flight at once during a burst. */
  parallel: number
  /** Whether to stop before the next question, and after how many ms of waiting to look it up. */
  stopped: () => boolean
  lookUpMs?: number
  /** How many a second have to be accepted before it is said that there is no limit. */
  upTo?: number | undefined
  /** How many were asked just before, and how many of them accepted: they count as well. */
  before?: { all: number; usual: number } | undefined
  onProgress?: (text: string) => void
}

/** How many unclear answers in a row make a target that does not answer. */
const mostUnclear = 5

/** After how many milliseconds it is said that all of the time may not be enough. */
const earlyMs = 60_000

/** After how many milliseconds of waiting to look up whether to stop, where nobody says so. */
const usualLookUpMs = 250

/** Finds out how a target limits the rate of requests; what is known so far, when time is up. */
export async function probeRate(options: RateProbeOptions): Promise<RateLimit> {
  const { clock, mostRequests, mostMs, parallel, stopped, upTo, onProgress } = options
  const before = options.before ?? { all: 0, usual: 0 }
  const began = clock.now()
  const allowance: Allowance = { requests: mostRequests, until: began + mostMs, unclear: 0 }
  const questions = rateSearch({ inFlight: parallel, upTo, before: before.usual })
  let next = questions.next()
  let isWarned = false
  let told = next.done ? '' : next.value.soFar.because
  const tally = { asked: before.all, accepted: before.usual, acceptedAt: began }
  const ended = ({ soFar, beside }: RateQuestion, why: string) => {
    const told = soFar.algorithm === 'unclear' ? beside?.() : undefined
    const all = told === undefined ? why : `${told}; ${why}`
    return { ...soFar, because: atEnd(soFar, all, { ...tally, now: clock.now() }) }
  }
  while (!next.done) {
    const question = next.value
    const { soFar, decidedAt } = question
    if (soFar.because !== told) onProgress?.(soFar.because)
    told = soFar.because
    const lateMs = (decidedAt ?? Number.NEGATIVE_INFINITY) - allowance.until
    if (!isWarned && soFar.algorithm === 'unclear' && lateMs > 0) {
      isWarned = true
      onProgress?.(`${told}: ${tooLong(decidedAt! - clock.now(), allowance.until - clock.now())}`)
    }
    if (!isWarned && soFar.algorithm === 'unclear' && clock.now() - began > earlyMs) {
      isWarned = true
      onProgress?.(`${told}: not decided so far, and may stay unclear without more time (--time)`)
    }
    const why = whyEnded(question.at, allowance, options)
    if (why) return ended(question, why)
    await waited(question.at, options)
    const whyNow = whyEnded(clock.now(), allowance, options)
    if (whyNow) return ended(question, whyNow)
    const seen = await asked(question, allowance, options)
    for (const { kind, answered } of seen) {
      tally.asked++
      if (kind !== 'accepted') continue
      tally.accepted++
      tally.acceptedAt = Math.max(tally.acceptedAt, answered)
    }
    // What was given up then is not clear either, which is no fault of the target's.
    const whyThen = stopped() && whyEnded(clock.now(), allowance, options)
    if (whyThen) return ended(question, whyThen)
    if (allowance.unclear >= mostUnclear) {
      const because = `no clear answer, ${allowance.unclear} times in a row: ${allowance.because}`
      return { algorithm: 'unclear', because, repeats: soFar.repeats }
    }
    next = questions.next(seen)
  }
  return next.value
}

/** How many were asked so far, how many of them accepted, and when the last one was. */
type Tally = { asked: number; accepted: number; acceptedAt: number; now: number }

/** After how many ms without an acceptance it is said that there was none. */
const noneMs = 2_000

/** What is known at an end that came before a decision: what was seen, and why no more was. */
function atEnd(
  { algorithm, because }: RateLimit,
  why: string,
  { asked, accepted, acceptedAt, now }: Tally
): string {
  if (accepted === 0) return `${because}; ${why}`
  const counts = `${accepted.toLocaleString('en')} of ${asked.toLocaleString('en')} were accepted`
  const [all, goneMs] = [accepted === asked, now - acceptedAt]
  // Where none was refused, that is what there is to say, and nothing else is open.
  if (algorithm === 'none' && all) return because
  if (algorithm !== 'unclear')
    return `${because}; ${why.replace('not decided', 'no more was asked')}`
  const none = goneMs > noneMs ? `, none in the last ${inSeconds(goneMs)}` : ''
  return `${because}; ${counts} in all${none}; ${why}`
}

function tooLong(takesMs: number, leftMs: number): string {
  const [takes, left] = [takesMs, leftMs].map(inSeconds)
  return `to tell takes about ${takes}, and ${left} are left: it may stay unclear (--time)`
}

/** What is left to spend, and how many answers in a row were unclear, the last one in words. */
type Allowance = { requests: number; until: number; unclear: number; because?: string }

/** Why nothing more may be asked, from `at` on; undefined where something may. */
function whyEnded(at: number, left: Allowance, options: RateProbeOptions): string | undefined {
  const { mostRequests, mostMs, clock, stopped } = options
  const now = clock.now()
  const isOver = Math.max(at, now) >= left.until
  if (!isOver && stopped()) return 'stopped'
  // What would be asked later than there is time for is not waited for.
  const [restMs, leftMs] = [at - now, left.until - now]
  if (isOver && leftMs > restTold.part * mostMs) {
    const [rest, rests] = [restMs, leftMs].map(inSeconds)
    const after = inSeconds(mostMs - leftMs)
    const alone = `it has to be left alone for ${rest} next`
    return `not decided in ${after}: ${alone}, and ${rests} are left (--time)`
  }
  if (isOver) return `not decided in ${inSeconds(mostMs)} (--time)`
  if (left.requests > 0) return
  return `all ${mostRequests.toLocaleString('en')} requests are used up (--requests)`
}

/** What part of the time has to be left for it to be said that it is too short. */
const restTold = { part: 0.02 }

function inSeconds(ms: number): string {
  return ms < 10_000 ? inMs(ms) : `${Math.round(ms / 1_000)} s`
}

/** Waits for a time, and looks up now and then whether to stop. */
async function waited(time: number, options: RateProbeOptions): Promise<void> {
  const { clock, stopped, lookUpMs = usualLookUpMs } = options
  while (clock.now() < time && !stopped()) {
    await clock.until(Math.min(time, clock.now() + lookUpMs))
  }
}

/** Asks until one is refused, or enough are asked, and lets those in flight come back. */
async function asked(question: RateQuestion, left: Allowance, options: RateProbeOptions) {
  const { ask, clock, stopped } = options
  const seen: Sighting[] = []
  let count = 0
  let isOver = false
  const begun = clock.now()
  const until = Math.min(left.until, begun + question.forMs)
  async function lane(place: number) {
    const { everyMs } = question
    if (place > 0 && everyMs > 0) await clock.until(begun + place * everyMs)
    while (!isOver && count < question.most && left.requests > 0 && clock.now() < until) {
      count++
      left.requests--
      const sent = clock.now()
      const { kind, because, evidence, bytes } = await ask(question.isApart)
      seen.push({ kind, status: evidence.status, sent, answered: clock.now(), bytes })
      left.unclear = kind === 'unclear' ? left.unclear + 1 : 0
      left.because = because
      isOver ||= kind === 'rejected' || left.unclear >= mostUnclear || stopped()
      if (everyMs > 0) break
    }
  }
  await Promise.all(
    Array.from({ length: Math.min(question.inFlight, question.most) }, (_, n) => lane(n))
  )
  return seen.sort((one, other) => one.sent - other.sent)
}
