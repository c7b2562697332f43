import type { Line } from '../../client/line.ts'
import {
  answered,
  heralds,
  leastMs,
  oneRound,
  opened,
  questionOf,
  type RaceAsked
} from './keep-alive-round.ts'

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

/**
 * How often it is tried before it is said that there is none, and how often where there is time. Of
 * nginx in front of Node it showed in 19 of 48 rounds at a load of 24, with a crowd of 48.
 */
const [leastRounds, mostRounds, timePart] = [16, 32, 0.5] as const

/** How long a round takes at most, as a rule: a part of that age, and so many ms. */
const [roundPart, roundMs] = [1.6, 1_500] as const

/** What was seen in none of so many happens in less than 3 of so many, at 95 %. */
const ruleOfThree = 3

/** How many have to fail, since one may be another's doing. */
const enough = 2

/**
 * How many requests keep the origin busy as it closes. With 48 it showed after 1 to 18 rounds, with
 * 192 mostly in the first; an origin that cannot bear so many gets fewer.
 */
const crowds = [192, 48, 12]

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
  let [sent, rounds, smaller] = [0, 0, 0]
  const until = clock.now() + timePart * leftMs()
  // What a round that is cut off has seen is nothing.
  const fits = () => leftMs() > roundPart * closesMs + roundMs
  const isOver = () => stopped() || !fits() || (rounds >= leastRounds && clock.now() > until)
  while (rounds < mostRounds && failures.length < enough && !isOver()) {
    const crowded = crowds[smaller]!
    const round = await oneRound(asked, { method, closesMs, nth: rounds, crowded })
    if (typeof round === 'string') return { ...unclear(round), closesMs }
    if (round.control.length > 0 && ++smaller < crowds.length) continue
    rounds++
    sent += round.race.sent
    failures.push(...round.race.failures)
    others.push(...round.control)
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
  if (least < leastMs)
    return `the origin closes a connection ${Math.round(least)} ms after an answer`
  return kept.length > 0 ? least : undefined
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
