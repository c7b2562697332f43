import type { LineMaker } from '../../client/line.ts'
import type { Clock } from '../../clock.ts'
import type { Ordinary } from '../dimension.ts'
import type { Unfound } from '../survey.ts'
import { type Course, coursesOf, type WaitName } from './course.ts'
import { readWait, type WaitReading } from './wait-reading.ts'
import { follow, type WaitSighting } from './wait-sighting.ts'

/** Whose patience to look for, and how. */
export type WaitOptions = {
  maker: LineMaker
  /** A request that the endpoint answers as usual. */
  ordinary: Ordinary
  /** How long a connection is kept waiting at most, in ms. */
  upToMs: number
  clock: Clock
  stopped: () => boolean
}

/** After how long a target ends what keeps it waiting, in each way to do so. */
export type WaitFound = { lines: { variant: string; reading: WaitReading }[] }

/**
 * How much later each course is begun again, in ms: at odd distances, which a target that looks
 * only now and then shows by.
 */
const beginningsMs = [0, 310, 770]

/** No more connections than this are open at once for one variant of one limit. */
const mostAtOnce = 150

/** What comes sooner is an answer, and no end of patience. */
const promptMs = 200

/** Finds after how long a target ends what keeps it waiting, all ways at once. */
export async function surveyWait(
  name: WaitName,
  options: WaitOptions
): Promise<WaitFound | Unfound> {
  const { maker, ordinary, upToMs } = options
  const courses = coursesOf(name, { ordinary, address: maker.address, upToMs })
  const first = await followAll(courses, beginningsMs, options)
  if (typeof first === 'string') return { outcome: 'inconclusive', because: first }
  const elsewhere = first.filter((sighting) => isElsewhere(name, sighting))
  if (elsewhere.length > first.length / 2) {
    const because = reasons[name](elsewhere[0]!.ending!.status)
    return { outcome: 'inapplicable', because }
  }
  const variants = [...Map.groupBy(courses, ({ variant }) => variant)]
  const lines = variants.map(async ([variant, ways]) => {
    const seen = first.filter((one) => one.variant === variant && isOf(ways[0]!, one))
    const reading = await refined(name === 'idle' ? promptest(seen) : seen, ways[0]!, options)
    // Whoever was not kept waiting as long as was wanted has not shown that there is no end.
    if (options.stopped() && reading.kind === 'unlimited') {
      return { variant, reading: { kind: 'unclear' as const, because: 'stopped on the way' } }
    }
    return { variant, reading }
  })
  return { lines: await Promise.all(lines) }
}

const reasons: Record<WaitName, (status: number) => string> = {
  idle: () => 'no connection is kept after an answer',
  'header-time': (status) => `answered ${status} before the head is there`,
  'body-time': (status) => `answered ${status} before all of the body is there`,
  'response-time': (status) => `answered ${status}: ask a path that takes too long to answer`
}

/** Whether a target did not wait at all, or what it said is what it says anyway. */
function isElsewhere(name: WaitName, { ending, marks }: WaitSighting): boolean {
  if (ending === undefined) return false
  const lastAt = Math.max(...marks.map(({ at }) => at).filter((at) => at <= ending.at))
  const isPrompt = ending.at - lastAt < promptMs
  if (name === 'idle') return isPrompt
  // Whoever is out of patience says 408, or as a gateway 5xx; all else is an answer.
  const isAnswer = ending.status > 0 && ending.status < 500 && ending.status !== 408
  return isAnswer || (ending.status >= 500 && isPrompt && name !== 'response-time')
}

/** The half whose last answer was seen soonest: those that a busy machine held up least. */
function promptest(seen: readonly WaitSighting[]): WaitSighting[] {
  const waitMs = ({ marks }: WaitSighting) => {
    const answer = marks.findLast(({ starts }) => starts.includes('answer'))
    const asked = marks.findLast(({ at }) => at < (answer?.at ?? Number.POSITIVE_INFINITY))
    return answer && asked ? answer.at - asked.at : Number.POSITIVE_INFINITY
  }
  return seen.toSorted((a, b) => waitMs(a) - waitMs(b)).slice(0, Math.ceil(seen.length / 2))
}

/** Whether a sighting came as far as the limit that it was made for. */
function isOf({ requires }: Course, { marks }: WaitSighting): boolean {
  return requires === undefined || marks.some(({ starts }) => starts.includes(requires))
}

/** How exactly a time is to be known, in ms. */
function resolutionMs(ms: number): number {
  return Math.max(50, ms / 100)
}

/** How often it is tried to come closer. */
const mostRounds = 4

/**
 * What was seen, read; where a target looks only now and then, the same is asked of more
 * connections, begun at all times of its round: one of every age is there at one of its looks.
 */
async function refined(
  seen: readonly WaitSighting[],
  course: Course,
  options: WaitOptions
): Promise<WaitReading> {
  if (seen.length === 0) return { kind: 'unclear', because: 'ended before it was begun' }
  const all = [...seen]
  let reading = readWait(all, course.starts)
  // How long a round is shows once it is over: a window that was too short grows fast.
  for (let round = 0, growth = 2; round < mostRounds; round++, growth *= 4) {
    if (reading.kind !== 'found' || options.stopped()) return reading
    const { ms, lateMs, belowMs } = reading
    if (lateMs === 0 || belowMs <= resolutionMs(ms)) return reading
    const roundMs = growth * lateMs
    const apartMs = Math.max(20, ms / 200, roundMs / mostAtOnce)
    const count = Math.ceil(roundMs / apartMs)
    const beginnings = Array.from({ length: count }, (_, index) => index * apartMs)
    const upToMs = Math.max(options.upToMs, 2 * (ms + roundMs))
    const more = await followAll([course], beginnings, { ...options, upToMs })
    if (typeof more === 'string') return reading
    all.push(...more.filter((one) => isOf(course, one)))
    reading = readWait(all, course.starts)
  }
  return reading
}

/** Follows each course once from each beginning; returns why, where no connection is made. */
async function followAll(
  courses: readonly Course[],
  beginnings: readonly number[],
  { maker, clock, upToMs, stopped }: WaitOptions
): Promise<WaitSighting[] | string> {
  const from = clock.now()
  const ways = beginnings.flatMap((atMs) => courses.map((course) => ({ course, atMs })))
  const sightings = await Promise.all(
    ways.map(async ({ course, atMs }) => {
      await clock.until(from + atMs)
      const line = await maker.open()
      return typeof line === 'string'
        ? line
        : follow(line, course, { now: clock.now, upToMs, stopped })
    })
  )
  const made = sightings.filter((one) => typeof one !== 'string')
  return made.length === 0 ? String(sightings[0]) : made
}
