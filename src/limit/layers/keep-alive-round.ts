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

/** How many requests go to the front at once: as many connections to the origin are kept. */
const atOnce = 32

/** Connections to the origin itself, which end so many ms before those that the front keeps. */
export const heralds = 4
const beforeMs = 10

/** How many ms before it closes those that keep it busy are asked. */
const leadsMs = [1, 6, 3, 9]

/**
 * How long before that age requests are sent as well, from a round on in every other, in ms or as a
 * part of it: an origin that looks only now and then for connections that are too old closes them
 * as soon as anything else has it look, which the first of those requests does.
 */
const aimsFrom = 4
const aims = [{ part: 0.3 }, { ms: 2 }, { part: 0.1 }, { ms: 8 }, { part: 0.2 }, { ms: 30 }]

/** Up to which part of that age requests are of another time. */
const latest = 0.7

/** How long an answer may take, and how long before their use connections are made, in ms. */
const patienceMs = 10_000
const aheadMs = 250

/** The least age of which it can be asked, in ms. */
export const leastMs = 2 * aheadMs

/** What came of asking on many lines at once: of those that failed, how. */
type Burst = { failures: string[]; sent: number }

/** With which method, after how long the origin closes, the how-manieth, how many keep it busy. */
type Round = { method: string; closesMs: number; nth: number; crowded: number }

/** What is asked of whom, and what opens connections for it, which end with the round. */
type Asking = RaceAsked &
  Round & {
    question: Buffer
    direct: Buffer
    toFront: () => Promise<Line[]>
    /** Those that keep the origin busy: as many as it lets in. */
    crowd: () => Promise<Line[]>
    /** Those that tell when the origin closes. */
    own: Line[]
  }

/**
 * Requests at half the age at which the origin closes, and as it does. Those that tell when, its
 * heralds, are asked a little before the front, so that their end comes a little before that of the
 * connections which the front keeps. An origin that is busy just then looks at its clock before it
 * looks at what has come: many are asked at once, so that it is, and at half that age likewise.
 *
 * @returns what came of the second, and how those of the first failed that did; why it could not
 *   be asked, where it could not
 */
export async function oneRound(
  asked: RaceAsked,
  round: Round
): Promise<{ race: Burst; control: string[] } | string> {
  const { front, origin, ordinary } = asked
  const { method, crowded } = round
  const open: Line[] = []
  const lines = async (maker: LineMaker, count: number) => {
    const made = await opened(maker, count)
    if (typeof made === 'string') throw made
    open.push(...made)
    return made
  }
  const crowd = async () => {
    const made = (await Promise.all(openings(origin, crowded))).filter(isOpen)
    open.push(...made)
    return made
  }
  try {
    const asking: Asking = {
      ...asked,
      ...round,
      question: questionOf(front, { ...ordinary, method }),
      direct: questionOf(origin, { ...ordinary, method }),
      toFront: () => lines(front, atOnce),
      crowd,
      own: await lines(origin, heralds)
    }
    const { control, usedAt } = await atHalf(asking)
    return { race: await atThatAge(asking, usedAt), control }
  } catch (why) {
    if (typeof why === 'string') return why
    throw why
  } finally {
    for (const line of open) line.close()
  }
}

/** Asks at half that age, beside a crowd, and then leaves connections that were used just now. */
async function atHalf(asking: Asking): Promise<{ control: string[]; usedAt: number }> {
  const { clock, closesMs, question, direct, toFront, crowd, own } = asking
  await burst(await toFront(), question, clock)
  const firstAt = clock.now()
  await clock.until(firstAt + closesMs / 2 - aheadMs)
  const [half, again, many] = [await toFront(), await toFront(), await crowd()]
  await clock.until(clock.now() + aheadMs)
  // On a machine that is that busy it shows nothing of other times.
  const isHalf = clock.now() - firstAt < latest * closesMs
  for (const line of many) line.say(direct)
  const beside = await burst(half, question, clock)
  for (const line of many) line.close()
  for (const line of own) line.say(direct)
  await exactly(clock.now() + beforeMs, clock)
  // What fails here leaves no connection whose age is known.
  const { failures } = await burst(again, question, clock)
  const control = [...(isHalf ? beside.failures : []), ...failures]
  return { control, usedAt: clock.now() }
}

/** Asks as connections are that old, or so much sooner as this round aims at. */
async function atThatAge(asking: Asking, usedAt: number): Promise<Burst> {
  const { clock, closesMs, nth, question, direct, toFront, crowd, own } = asking
  const aim = aimOf(nth)
  const aimMs = aim && (aim.ms ?? aim.part * closesMs)
  await clock.until(usedAt + closesMs - 2 * aheadMs - (aimMs ?? 0))
  const last = await toFront()
  if (aimMs !== undefined) {
    await exactly(usedAt + closesMs - aimMs, clock)
    return burst(last, question, clock)
  }
  const many = await crowd()
  const until = clock.now() + closesMs
  while (!own.some(({ ending }) => ending !== undefined) && clock.now() < until) {
    await Promise.race(own.map((line) => line.heard(100)))
  }
  const endedAt = Math.min(...own.map(({ ending }) => ending?.at ?? until))
  await exactly(endedAt + beforeMs - leadsMs[nth % leadsMs.length]!, clock)
  for (const line of many) line.say(direct)
  return burst(last, question, clock)
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

/** Waits for an answer on a line, or its end. */
export async function answered(line: Line): Promise<void> {
  while (line.answers[0]?.endedAt === undefined && line.ending === undefined) {
    await line.heard(1_000)
  }
}

const isOpen = (line: Line | string): line is Line => typeof line !== 'string'

function openings(maker: LineMaker, count: number): ReturnType<LineMaker['open']>[] {
  return Array.from({ length: count }, () => maker.open())
}

/** So many lines; why there are fewer, where there are. */
export async function opened(maker: LineMaker, count: number): Promise<Line[] | string> {
  const lines = await Promise.all(openings(maker, count))
  const made = lines.filter(isOpen)
  if (made.length === count) return made
  for (const line of made) line.close()
  return lines.find((line) => !isOpen(line)) as string
}

/** The request with two bytes of body, on a connection that is kept. */
export function questionOf({ address }: LineMaker, question: Ordinary): Buffer {
  const body = { bytes: 2, framing: 'length' as const }
  const head = renderHead({ ...question, body }, address, { connection: 'keep-alive' })
  return Buffer.concat([head, Buffer.from('ab')])
}
