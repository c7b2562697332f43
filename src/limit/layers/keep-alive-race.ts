import type { Line, LineMaker } from '../../client/line.ts'
import { renderHead } from '../../client/raw-request.ts'
import type { Clock } from '../../clock.ts'
import type { Ordinary } from '../dimension.ts'

/** A front, the origin behind it, and how long to look at them. */
export type RaceAsked = {
  front: LineMaker
  origin: LineMaker
  /** A request that both answer as usual; sent with a body, so that no front sends it again. */
  ordinary: Ordinary
  clock: Clock
  stopped: () => boolean
  /** How many ms are left. */
  leftMs: () => number
  /** For how long the origin may keep a connection without a request at most, in ms. */
  upToMs: number
}

/**
 * Whether requests fail that a front sends on as its origin closes the connection they go by.
 *
 * - `reproduced`: some did, as the origin closed connections of the same age, and at half that age
 *   none
 * - `absent`: none did, in as many rounds as are asked: how rare it may still be is said
 * - `unclear`: it could not be asked, or requests fail at other times as well
 */
export type KeepAliveRace = {
  verdict: 'reproduced' | 'absent' | 'unclear'
  /** After how long without a request the origin closes a connection, in ms. */
  closesMs?: number
  /** Requests that were sent as it did, in how many rounds, and how many of them failed. */
  sent: number
  rounds: number
  failed: number
  /** What became of those: `502`, or that the connection ended. */
  failures: string[]
  because: string
}

/** How many requests go to the front at once: as many connections to the origin are kept. */
const atOnce = 32

/** Connections to the origin itself, which end so many ms before those that the front keeps. */
const heralds = 4
const beforeMs = 10

/** How many more keep the origin busy then, and how many ms before it closes they are asked. */
const crowded = 48
const leadsMs = [1, 6, 3, 9]

/**
 * How often it is tried before it is said that there is none, and how often where there is time. Of
 * nginx in front of Node it showed in 19 of 48 rounds at a load of 24.
 */
const [leastRounds, mostRounds, timePart] = [16, 32, 0.5] as const

/**
 * How long before that age requests are sent as well, from a round on in every other, in ms or as a
 * part of it: an origin that looks only now and then for connections that are too old closes them
 * as soon as anything else has it look, which the first of those requests does.
 */
const aimsFrom = 4
const aims = [{ part: 0.3 }, { ms: 2 }, { part: 0.1 }, { ms: 8 }, { part: 0.2 }, { ms: 30 }]

/** How long a round takes at most, as a rule: a part of that age, and so many ms. */
const [roundPart, roundMs] = [1.6, 1_500] as const

/** Up to which part of that age requests are of another time. */
const latest = 0.7

/** What was seen in none of so many happens in less than 3 of so many, at 95 %. */
const ruleOfThree = 3

/** How many have to fail, since one may be another's doing. */
const enough = 2

/** How long an answer may take, and how long before their use connections are made, in ms. */
const patienceMs = 10_000
const aheadMs = 250

/** What came of asking on many lines at once: of those that failed, how. */
type Burst = { failures: string[]; sent: number }

/**
 * Reproduces the race between a front that keeps connections to its origin and an origin that
 * closes them: whose time is shorter decides who closes first, and a request that is under way
 * then is lost. The moment is told by connections of the same age to the origin itself.
 */
export async function raceKeepAlive(asked: RaceAsked): Promise<KeepAliveRace> {
  const { ordinary, upToMs, stopped, clock, leftMs } = asked
  const nothing = { sent: 0, rounds: 0, failed: 0, failures: [] }
  const unclear = (because: string) => ({ verdict: 'unclear' as const, ...nothing, because })
  const method = ['GET', 'HEAD'].includes(ordinary.method) ? 'POST' : ordinary.method
  const closesMs = await closedAfter(asked, method)
  if (typeof closesMs === 'string') return unclear(closesMs)
  if (closesMs === undefined) {
    return unclear(`the origin closes no connection within ${seconds(upToMs)}`)
  }
  const failures: string[] = []
  const others: string[] = []
  let [sent, rounds] = [0, 0]
  const until = clock.now() + timePart * leftMs()
  // What a round that is cut off has seen is nothing.
  const fits = () => leftMs() > roundPart * closesMs + roundMs
  const isOver = () => stopped() || !fits() || (rounds >= leastRounds && clock.now() > until)
  while (rounds < mostRounds && failures.length < enough && !isOver()) {
    const round = await oneRound(asked, { method, closesMs, nth: rounds })
    if (typeof round === 'string') return { ...unclear(round), closesMs }
    rounds++
    sent += round.race.sent
    failures.push(...round.race.failures)
    others.push(...round.control.failures)
  }
  const found = { closesMs, sent, rounds, failed: failures.length, failures }
  const times = `${rounds} ${rounds === 1 ? 'time' : 'times'}`
  const age = seconds(closesMs)
  const which = `${sent} ${method} requests sent as the origin closed connections after ${age}`
  // All requests of a moment may fail together, so that moments are what is counted.
  const rare = Math.floor(rounds / ruleOfThree)
  if (others.length > 0) {
    const because = `requests fail at other times too: ${others[0]} after half of ${age}`
    return { verdict: 'unclear', ...found, because }
  }
  if (failures.length >= enough) {
    const kinds = [...new Set(failures)].join(', ')
    const because = `${failures.length} of ${which} failed (${kinds}), and none at half that age`
    return { verdict: 'reproduced', ...found, because }
  }
  if (failures.length > 0 || rounds < leastRounds) {
    const why = rounds < leastRounds ? ', for want of time (--time)' : ''
    const because = `${failures.length} of ${which} failed, ${times}: too few to tell${why}`
    return { verdict: 'unclear', ...found, because }
  }
  const because = `none of ${which} failed, ${times}: at 95 %, fewer than 1 time in ${rare}`
  return { verdict: 'absent', ...found, because }
}

/** After how long without a request the origin closes; undefined where it closes none. */
async function closedAfter(
  { origin, ordinary, clock, stopped, upToMs }: RaceAsked,
  method: string
): Promise<number | string | undefined> {
  const lines = await opened(origin, heralds)
  if (typeof lines === 'string') return lines
  const question = questionOf(origin, { ...ordinary, method })
  for (const line of lines) line.say(question)
  await Promise.all(lines.map((line) => answered(line)))
  const until = clock.now() + upToMs
  const isEnded = ({ ending }: Line) => ending !== undefined
  while (!lines.some(isEnded) && clock.now() < until && !stopped()) {
    await Promise.race(lines.map((line) => line.heard(250)))
  }
  const kept = lines.flatMap(({ ending, answers: [answer] }) => {
    return ending && answer?.endedAt ? [ending.at - answer.endedAt] : []
  })
  for (const line of lines) line.close()
  if (lines.some(({ answers }) => answers.length === 0)) return 'the origin does not answer'
  const least = Math.min(...kept)
  if (least < 2 * aheadMs)
    return `the origin closes a connection ${Math.round(least)} ms after an answer`
  return kept.length > 0 ? least : undefined
}

/**
 * Requests at half the age at which the origin closes, and as it does. Those that tell when, its
 * heralds, are asked a little before the front, so that their end comes a little before that of the
 * connections which the front keeps. An origin that is busy just then looks at its clock before it
 * looks at what has come: many are asked at once, so that it is.
 */
async function oneRound(
  asked: RaceAsked,
  { method, closesMs, nth }: { method: string; closesMs: number; nth: number }
): Promise<{ race: Burst; control: Burst } | string> {
  const { front, origin, ordinary, clock } = asked
  const question = questionOf(front, { ...ordinary, method })
  const direct = questionOf(origin, { ...ordinary, method })
  const open: Line[] = []
  try {
    const lines = async (maker: LineMaker, count: number) => {
      const made = await opened(maker, count)
      if (typeof made === 'string') throw made
      open.push(...made)
      return made
    }
    const own = await lines(origin, heralds)
    await burst(await lines(front, atOnce), question, clock)
    const usedAt = clock.now()
    await clock.until(clock.now() + closesMs / 2 - aheadMs)
    const second = await lines(front, atOnce)
    await clock.until(clock.now() + aheadMs)
    for (const line of own) line.say(direct)
    await exactly(clock.now() + beforeMs, clock)
    const isEarly = clock.now() - usedAt < latest * closesMs
    const half = await burst(second, question, clock)
    const halfAt = clock.now()
    // On a machine that is that busy it shows nothing of other times.
    const control = isEarly ? half : { failures: [], sent: 0 }
    const aim = aimOf(nth)
    const aimMs = aim && (aim.ms ?? aim.part * closesMs)
    await clock.until(halfAt + closesMs - 2 * aheadMs - (aimMs ?? 0))
    const third = await lines(front, atOnce)
    if (aimMs !== undefined) {
      await exactly(halfAt + closesMs - aimMs, clock)
      return { race: await burst(third, question, clock), control }
    }
    const crowd = await lines(origin, crowded)
    const until = clock.now() + closesMs
    while (!own.some(({ ending }) => ending !== undefined) && clock.now() < until) {
      await Promise.race(own.map((line) => line.heard(100)))
    }
    const endedAt = Math.min(...own.map(({ ending }) => ending?.at ?? until))
    await exactly(endedAt + beforeMs - leadsMs[nth % leadsMs.length]!, clock)
    for (const line of crowd) line.say(direct)
    return { race: await burst(third, question, clock), control }
  } catch (why) {
    if (typeof why === 'string') return why
    throw why
  } finally {
    for (const line of open) line.close()
  }
}

/** How long before connections are that old requests are sent, in a round that waits for no end. */
function aimOf(nth: number) {
  const aimed = nth - aimsFrom
  return aimed < 0 || aimed % 2 === 1 ? undefined : aims[(aimed / 2) % aims.length]!
}

/** Waits until a time, to less than a timer's ms. */
async function exactly(at: number, clock: Clock): Promise<void> {
  await clock.until(at - 2)
  while (clock.now() < at) await new Promise((resolve) => setImmediate(resolve))
}

/** Asks on all lines at once, and closes them once all is answered. */
async function burst(lines: readonly Line[], question: Buffer, clock: Clock): Promise<Burst> {
  for (const line of lines) line.say(question)
  const enough = new AbortController()
  await Promise.race([
    Promise.all(lines.map((line) => answered(line))),
    clock.until(clock.now() + patienceMs, enough.signal)
  ])
  enough.abort()
  const failures = lines.flatMap(({ answers: [answer], ending }) => {
    if (answer?.endedAt !== undefined) return answer.status >= 500 ? [`${answer.status}`] : []
    return [ending === undefined ? 'no answer' : `${ending.how} without an answer`]
  })
  for (const line of lines) line.close()
  return { failures, sent: lines.length }
}

async function answered(line: Line): Promise<void> {
  while (line.answers[0]?.endedAt === undefined && line.ending === undefined) {
    await line.heard(1_000)
  }
}

async function opened(maker: LineMaker, count: number): Promise<Line[] | string> {
  const lines = await Promise.all(Array.from({ length: count }, () => maker.open()))
  const made = lines.filter((line) => typeof line !== 'string')
  if (made.length === count) return made
  for (const line of made) line.close()
  return lines.find((line) => typeof line === 'string')!
}

function questionOf({ address }: LineMaker, question: Ordinary): Buffer {
  const body = { bytes: 2, framing: 'length' as const }
  const head = renderHead({ ...question, body }, address, { connection: 'keep-alive' })
  return Buffer.concat([head, Buffer.from('ab')])
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
