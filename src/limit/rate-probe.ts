import type { Clock } from '../clock.ts'
import type { Answer } from './answer.ts'
import type { RateLimit } from './rate-limit.ts'
import type { RateQuestion, Sighting } from './rate-question.ts'
import { rateSearch } from './rate-search.ts'

/** How to ask a target about its rate limit, and how much. */
export type RateProbeOptions = {
  /**
   * Asks one ordinary question: `rejected` is refused by a limit, `accepted` answered as usual, and
   * `unclear` anything else. With `isApart` on a connection of its own, which is closed after it.
   */
  ask: (isApart: boolean) => Promise<Answer>
  clock: Clock
  /** At most so many requests in all, and for so many milliseconds. */
  mostRequests: number
  mostMs: number
  /** How many are in flight at once during a burst. */
  parallel: number
  /** Whether to stop before the next question. */
  stopped: () => boolean
  /** How many a second have to be accepted before it is said that there is no limit. */
  upTo?: number | undefined
  onProgress?: (text: string) => void
}

/** How many unclear answers in a row make a target that does not answer. */
const mostUnclear = 5

/** After how many milliseconds it is said that all of the time may not be enough. */
const earlyMs = 60_000

/** After how many milliseconds of waiting to look up whether to stop. */
const lookUpMs = 250

/** Finds out how a target limits the rate of requests; what is known so far, when time is up. */
export async function probeRate(options: RateProbeOptions): Promise<RateLimit> {
  const { clock, mostRequests, mostMs, parallel, stopped, upTo, onProgress } = options
  const allowance: Allowance = { requests: mostRequests, until: clock.now() + mostMs, unclear: 0 }
  const questions = rateSearch({ inFlight: parallel, upTo })
  let next = questions.next()
  const began = clock.now()
  let isWarned = false
  let told = next.done ? '' : next.value.soFar.because
  while (!next.done) {
    const question = next.value
    const { soFar } = question
    if (soFar.because !== told) onProgress?.(soFar.because)
    told = soFar.because
    if (!isWarned && soFar.algorithm === 'unclear' && clock.now() - began > earlyMs) {
      isWarned = true
      onProgress?.(`${told}: not decided so far, and may stay unclear without more time (--time)`)
    }
    const ended = whyEnded(question, allowance, options)
    if (ended) return { ...soFar, because: `${soFar.because}; ${ended}` }
    await waited(question.at, options)
    if (stopped()) return { ...soFar, because: `${soFar.because}; stopped` }
    const seen = await asked(question, allowance, options)
    // What was given up then is not clear either, which is no fault of the target's.
    if (stopped()) return { ...soFar, because: `${soFar.because}; stopped` }
    if (allowance.unclear >= mostUnclear) {
      const because = `no clear answer, ${allowance.unclear} times in a row: ${allowance.because}`
      return { algorithm: 'unclear', because, repeats: soFar.repeats }
    }
    next = questions.next(seen)
  }
  return next.value
}

/** What is left to spend, and how many answers in a row were unclear, the last one in words. */
type Allowance = { requests: number; until: number; unclear: number; because?: string }

function whyEnded(question: RateQuestion, left: Allowance, options: RateProbeOptions) {
  if (options.stopped()) return 'stopped'
  if (left.requests <= 0) return `all ${options.mostRequests} requests are used up`
  const missing = Math.max(question.at, options.clock.now()) - left.until
  if (missing >= 0)
    return `${Math.round(options.mostMs)} ms are up, the next question was for later`
}

/** Waits for a time, and looks up now and then whether to stop. */
async function waited(time: number, { clock, stopped }: RateProbeOptions): Promise<void> {
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
  const until = Math.min(left.until, clock.now() + question.forMs)
  async function lane() {
    while (!isOver && count < question.most && left.requests > 0 && clock.now() < until) {
      count++
      left.requests--
      const sent = clock.now()
      const { kind, because, evidence } = await ask(question.isApart)
      seen.push({ kind, status: evidence.status, sent, answered: clock.now() })
      left.unclear = kind === 'unclear' ? left.unclear + 1 : 0
      left.because = because
      isOver ||= kind === 'rejected' || left.unclear >= mostUnclear || stopped()
    }
  }
  await Promise.all(Array.from({ length: Math.min(question.inFlight, question.most) }, lane))
  return seen.sort((one, other) => one.sent - other.sent)
}
