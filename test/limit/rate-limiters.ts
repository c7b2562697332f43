import type { RateLimit } from '../../src/limit/rate-limit.ts'
import type { RateQuestion, Sighting } from '../../src/limit/rate-question.ts'
import { rateSearch } from '../../src/limit/rate-search.ts'
import type { Random } from '../../src/random.ts'
import {
  answeredOn,
  areFew,
  type Connection,
  type Connections,
  connectionAt
} from './connections.ts'
import { standstills } from './queues.ts'

export { ban, windowBan } from './bans.ts'
export { chainedQueue, leakyQueue, slowDown } from './queues.ts'

/**
 * Decides on one request that arrives at `ms`, no earlier than the one before: whether it is taken,
 * or for how many ms it is held up before it is, less than none where it is refused after as many.
 */
export type Limiter = (ms: number) => boolean | number

/** How big a limiter is, and when its windows begin. */
export type Size = { limit: number; windowMs: number; phaseMs: number }

/** Takes so many in each window of the clock. */
export function fixedAligned({ limit, windowMs, phaseMs }: Size): Limiter {
  let [window, count] = [Number.NaN, 0]
  return (ms) => {
    const current = Math.floor((ms + phaseMs) / windowMs)
    if (current !== window) [window, count] = [current, 0]
    return count < limit && ++count > 0
  }
}

/** Takes so many in a window that begins with the first request after the last window. */
export function fixedAnchored({ limit, windowMs }: Size): Limiter {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  return (ms) => {
    if (ms >= start + windowMs) [start, count] = [ms, 0]
    return count < limit && ++count > 0
  }
}

/** The same by a clock of whole seconds, as mod_qos does. */
export function fixedTicked({ limit, windowMs, phaseMs }: Size): Limiter {
  const decide = fixedAnchored({ limit, windowMs, phaseMs })
  return (ms) => decide(1_000 * Math.floor((ms + phaseMs) / 1_000))
}

/** The same window beside a bucket that holds as many, as npm's `limiter` has both. */
export function bucketAndWindow(size: Size): Limiter {
  const { limit, windowMs } = size
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  const hasToken = tokenBucket(size)
  return (ms) => {
    if (ms >= start + windowMs) [start, count] = [ms, 0]
    return count < limit && hasToken(ms) && ++count > 0
  }
}

/** Takes so many in any stretch as long as the window. */
export function slidingLog({ limit, windowMs }: Size): Limiter {
  const taken: number[] = []
  return (ms) => {
    while (taken.length > 0 && taken[0]! <= ms - windowMs) taken.shift()
    return taken.length < limit && taken.push(ms) > 0
  }
}

/** A sliding log that remembers what it refused as well. */
export function slidingLogOfAll({ limit, windowMs }: Size): Limiter {
  const seen: number[] = []
  return (ms) => {
    while (seen.length > 0 && seen[0]! <= ms - windowMs) seen.shift()
    return seen.push(ms) <= limit
  }
}

/** Counts the window of the clock, and the part of the one before that is not a window old. */
export const slidingCounter = (size: Size): Limiter => counter(size, false)

/** A sliding counter that counts what it refused as well. */
export const slidingCounterOfAll = (size: Size): Limiter => counter(size, true)

function counter({ limit, windowMs, phaseMs }: Size, countsRefused: boolean): Limiter {
  let [window, count, before] = [Number.NaN, 0, 0]
  return (ms) => {
    const place = (ms + phaseMs) / windowMs
    const current = Math.floor(place)
    if (current !== window) {
      ;[window, count, before] = [current, 0, current === window + 1 ? count : 0]
    }
    const isTaken = before * (1 - (place - current)) + count + 1 <= limit
    if (isTaken || countsRefused) count++
    return isTaken
  }
}

/**
 * A sliding counter whose windows begin with the first request after a rest, as HAProxy's
 * `http_req_rate` does; it takes one while what it has counted is less than the limit.
 */
export const ownCounter = (size: Size): Limiter => countedFromFirst(size, false)

/** The same where what was refused counts as well, as where HAProxy tracks before it denies. */
export const ownCounterOfAll = (size: Size): Limiter => countedFromFirst(size, true)

function countedFromFirst({ limit, windowMs }: Size, countsRefused: boolean): Limiter {
  let [start, count, before] = [Number.NEGATIVE_INFINITY, 0, 0]
  return (ms) => {
    if (ms >= start + 2 * windowMs) [start, count, before] = [ms, 0, 0]
    else if (ms >= start + windowMs) [start, count, before] = [start + windowMs, 0, count]
    const counted = count + Math.floor(before * (1 - (ms - start) / windowMs))
    if (counted < limit || countsRefused) count++
    return counted < limit
  }
}

/** Holds so many tokens, and gets them all back in a window, one at a time. */
export function tokenBucket({ limit, windowMs }: Size): Limiter {
  let [tokens, then] = [limit, Number.NEGATIVE_INFINITY]
  return (ms) => {
    tokens = Math.min(limit, tokens + ((ms - then) * limit) / windowMs)
    then = ms
    return tokens >= 1 && tokens-- >= 1
  }
}

/** A bucket whose tokens come by a clock of their own, as those of a ticker do. */
export function tickedBucket({ limit, windowMs, phaseMs }: Size): Limiter {
  let [tokens, then] = [limit, 0]
  return (ms) => {
    const tick = Math.floor(((ms + phaseMs) * limit) / windowMs)
    tokens = Math.min(limit, tokens + tick - then)
    then = tick
    return tokens > 0 && tokens-- > 0
  }
}

/** Takes one at a time, so many a window, evenly spaced. */
export const spaced = ({ limit, windowMs }: Size): Limiter =>
  tokenBucket({ limit: 1, windowMs: windowMs / limit, phaseMs: 0 })

/** Takes what all of these take, and counts in each what came so far. */
export function stacked(...limiters: Limiter[]): Limiter {
  return (ms) => limiters.every((decide) => decide(ms))
}

/**
 * A limiter on a machine that stands still now and then, for up to 120 ms: whatever comes or is due
 * meanwhile is later, all of it together.
 */
export function stalled(decide: Limiter, next: Random): Limiter {
  const over = standstills(next)
  return (ms) => {
    const then = over(ms)
    const taken = decide(then)
    if (taken === false) return then === ms ? false : ms - then
    return over(then + (taken === true ? 0 : taken)) - ms
  }
}

/** How a target and the way to it behave. */
export type Way = {
  decide: Limiter
  /** Milliseconds that a request is under way. */
  latency: () => number
  /** Refuses whatever comes while so many are at the target. */
  crowd?: number
  /** Refuses whatever comes while more are open. */
  connections?: Connections
  /** How much the answer weighs to what was decided on last, in bytes. */
  weigh?: () => number
  /** Refuses what comes on connections that stay. */
  isKeptRefused?: () => boolean
}

/** Exponential latency of a mean, and now and then a stall of 20 ms. */
export function jitter(next: Random, meanMs: number, stalls = 0.002): () => number {
  return () => 0.2 - meanMs * Math.log(1 - next()) + (next() < stalls ? 20 : 0)
}

/** Latency where others keep the processors busy: 7 ms in the mean, and often up to 100 more. */
export function busy(next: Random): () => number {
  return () => 0.2 - 20 * next() * Math.log(1 - next()) + (next() < 0.03 ? 100 * next() : 0)
}

/** Answers questions in time that is only reckoned: what a search finds, after how much. */
export function identify(
  way: Way,
  { inFlight = 10, mostRequests = 100_000, mostMs = 3_600_000 } = {}
): RateLimit & { requests: number; ms: number } {
  const questions = rateSearch({ inFlight })
  let [now, requests] = [0, 0]
  let next = questions.next()
  while (!next.done) {
    const { at, soFar } = next.value
    now = Math.max(now, at)
    if (requests >= mostRequests || now >= mostMs) return { ...soFar, requests, ms: now }
    const left = Math.min(next.value.forMs, mostMs - now)
    const seen = seenOf(way, { ...next.value, at: now, forMs: left }, mostRequests - requests)
    requests += seen.length
    now = seen.reduce((latest, { answered }) => Math.max(latest, answered), now)
    next = questions.next(seen)
  }
  return { ...next.value, requests, ms: now }
}

type Flight = Omit<Sighting, 'kind' | 'status'> & {
  arrives: number
  kind?: Sighting['kind']
  connection?: Connection | undefined
}

/** Sends as many at once as are allowed, each when one before is back, until one is refused. */
function seenOf(way: Way, question: RateQuestion, most: number): Sighting[] {
  const { decide, latency, crowd, connections, weigh, isKeptRefused } = way
  const seen: Sighting[] = []
  const flying: Flight[] = []
  let [count, isOver] = [0, false]
  const send = (sent: number) => {
    if (isOver || count === Math.min(question.most, most)) return
    if (sent >= question.at + question.forMs) return
    count++
    const arrives = sent + latency() / 2
    const { isApart } = question
    const connection = connections && connectionAt(connections, { sent, arrives, isApart })
    flying.push({ sent, arrives, answered: arrives + latency() / 2, connection })
  }
  const due = (one: Flight) => (one.kind ? one.answered : one.arrives)
  const { inFlight, everyMs } = question
  for (let lanes = 0; ; ) {
    const [first] = flying
    const flight = first && flying.reduce((one, other) => (due(other) < due(one) ? other : one))
    const start = question.at + lanes * everyMs
    if (lanes < inFlight && !isOver && (flight === undefined || start <= due(flight))) {
      lanes++
      send(start)
      continue
    }
    if (flight === undefined) break
    if (!flight.kind) {
      const present = flying.filter(({ kind, arrives }) => kind && arrives <= flight.arrives).length
      const isFree = crowd === undefined || present < crowd
      const isOpen = question.isApart || !isKeptRefused?.()
      const isFew = connections === undefined || areFew(connections, flight.arrives)
      const isTaken = isFree && isOpen && isFew && decide(flight.arrives)
      if (isTaken === true && weigh) flight.bytes = weigh()
      flight.kind = isTaken === false || Number(isTaken) < 0 ? 'rejected' : 'accepted'
      if (typeof isTaken === 'number') flight.answered += Math.abs(isTaken)
      continue
    }
    const { sent, answered, kind, bytes, connection } = flight
    if (connection) answeredOn(connection, answered, question.isApart)
    flying.splice(flying.indexOf(flight), 1)
    seen.push({ kind, status: kind === 'rejected' ? 429 : 200, sent, answered, bytes })
    isOver ||= kind === 'rejected'
    if (everyMs === 0) send(answered)
  }
  return seen.sort((one, other) => one.sent - other.sent)
}
