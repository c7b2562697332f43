import type { LineMaker } from '../../client/line.ts'
import type { Clock } from '../../clock.ts'
import type { Ordinary } from '../dimension.ts'
import type { Unfound } from '../survey.ts'
import { type Course, coursesOf, dripMs, dripped, type WaitName, wholeCourse } from './course.ts'
import { endsWithBytes, readByBytes } from './wait-by-byte.ts'
import { readWait, type WaitReading } from './wait-reading.ts'
import { follow, type WaitEnding, type WaitSighting } from './wait-sighting.ts'

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
 * only now and then shows by. Bytes that come one at a time come at other ages each time, which
 * one shows by that ends things only as a byte comes.
 */
const beginnings = [
  { atMs: 0, dripAfterMs: dripMs },
  { atMs: 310, dripAfterMs: 0.75 * dripMs },
  { atMs: 770, dripAfterMs: 0.38 * dripMs }
]

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
  const coursesAt = (dripAfterMs: number) => {
    return coursesOf(name, { ordinary, address: maker.address, upToMs, dripAfterMs })
  }
  const courses = coursesAt(dripMs)
  const each = beginnings.flatMap(({ atMs, dripAfterMs }) => {
    return coursesAt(dripAfterMs).map((course) => ({ course, atMs }))
  })
  const first = await followAll(each, options)
  if (typeof first === 'string') return { outcome: 'inconclusive', because: first }
  const isLate = first.some(({ ending }) => ending && isAnswer(ending))
  const usualMs = name === 'body-time' && isLate ? await wholeMs(options) : undefined
  const elsewhere = first.filter((sighting) => isElsewhere(name, sighting, usualMs))
  if (elsewhere.length > first.length / 2) {
    const because = reasons[name](elsewhere[0]!.ending!.status)
    return { outcome: 'inapplicable', because }
  }
  const variants = [...Map.groupBy(courses, ({ variant }) => variant)]
  const lines = variants.map(async ([variant, ways]) => {
    const seen = first.filter((one) => one.variant === variant && isOf(ways[0]!, one))
    const isByByte = variant === dripped && endsWithBytes(seen)
    const reading = isByByte
      ? await refinedByBytes(seen, (ms) => coursesAt(ms).filter(isVariant(variant)), options)
      : await refined(name === 'idle' ? promptest(seen) : seen, ways, options)
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

/** Whoever is out of patience says 408, or as a gateway 5xx; all else is an answer. */
function isAnswer({ status }: WaitEnding): boolean {
  return status > 0 && status < 500 && status !== 408
}

/** How long a whole request with a small body takes to be answered, in ms; undefined if never. */
async function wholeMs({ maker, ordinary, upToMs, clock, stopped }: WaitOptions) {
  const line = await maker.open()
  if (typeof line === 'string') return
  const course = wholeCourse(ordinary, maker.address)
  const { marks, ending } = await follow(line, course, { now: clock.now, upToMs, stopped })
  const asked = marks.find(({ starts }) => starts.includes('head'))
  return ending && ending.status > 0 && asked ? ending.at - asked.at : undefined
}

/**
 * Whether a target did not wait at all, or what it said is what it says anyway. Some are out of
 * patience with a body and answer as if it were whole (Caddy, and others in Go): that comes much
 * later after the head than the answer to a whole request takes.
 */
function isElsewhere(name: WaitName, { ending, marks }: WaitSighting, usualMs?: number): boolean {
  if (ending === undefined) return false
  const head = marks.findLast(({ at, starts }) => at <= ending.at && starts.includes('head'))
  if (usualMs !== undefined && head && isAnswer(ending)) {
    return ending.at - head.at < promptMs + 2 * usualMs
  }
  const lastAt = Math.max(...marks.map(({ at }) => at).filter((at) => at <= ending.at))
  const isPrompt = ending.at - lastAt < promptMs
  if (name === 'idle') return isPrompt
  return isAnswer(ending) || (ending.status >= 500 && isPrompt && name !== 'response-time')
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

const isVariant = (variant: string) => (course: Course) => course.variant === variant

/** The same where only a byte ends what takes too long: bytes come at all ages then. */
async function refinedByBytes(
  seen: readonly WaitSighting[],
  waysAt: (dripAfterMs: number) => readonly Course[],
  options: WaitOptions
): Promise<WaitReading> {
  const { starts } = waysAt(dripMs)[0]!
  const reading = readByBytes(seen, starts)
  if (reading.kind !== 'found' || reading.belowMs <= resolutionMs(reading.ms)) return reading
  const count = Math.ceil((1.2 * dripMs) / resolutionMs(reading.ms))
  const ways = Array.from({ length: count }, (_, index) => {
    const all = waysAt(((index + 1) * dripMs) / count)
    return { course: all[index % all.length]!, atMs: 0 }
  })
  const more = await followAll(ways, options)
  return typeof more === 'string' ? reading : readByBytes([...seen, ...more], starts)
}

/** How exactly a time is to be known, in ms. */
function resolutionMs(ms: number): number {
  return Math.max(50, ms / 100)
}

/** How often it is tried to come closer. */
const mostRounds = 5

/**
 * For how long connections are begun, in times of what lies between two looks: as many as show
 * each age from the setting to a look later, and the looks themselves.
 */
const rounds = { least: 2.2, aimed: 2.6 }

/**
 * What was seen, read; where a target looks only now and then, the same is asked of more
 * connections, begun at all times of its round: one of every age is there at one of its looks.
 * Unclear where it was not seen how often it looks.
 */
async function refined(
  seen: readonly WaitSighting[],
  ways: readonly Course[],
  options: WaitOptions
): Promise<WaitReading> {
  if (seen.length === 0) return { kind: 'unclear', because: 'ended before it was begun' }
  const { starts } = ways[0]!
  const all = [...seen]
  let reading = readWait(all, starts)
  let begunMs = 0
  for (let round = 0; reading.kind === 'found' && reading.lateMs > 0; round++) {
    const { ms, lateMs, belowMs } = reading
    const isSharp = belowMs <= resolutionMs(ms)
    const isWhole = begunMs >= rounds.least * lateMs || lateMs <= resolutionMs(ms)
    if (isSharp && isWhole) return reading
    if (options.stopped() || round === mostRounds) return atMost(reading, isWhole)
    // How long a round is shows once it is over: a window that was too short grows.
    begunMs = Math.max(rounds.aimed * lateMs, isWhole ? 4 * begunMs : 2 * begunMs)
    const apartMs = Math.max(20, ms / 200, begunMs / mostAtOnce)
    const count = Math.ceil(begunMs / apartMs)
    // What the clock starts at has to explain them all, whenever the rest of it was said.
    const begun = Array.from({ length: count }, (_, index) => {
      return { course: ways[index % ways.length]!, atMs: index * apartMs }
    })
    const upToMs = Math.max(options.upToMs, 2 * (ms + begunMs))
    const more = await followAll(begun, { ...options, upToMs })
    if (typeof more === 'string') return atMost(reading, isWhole)
    all.push(...more.filter((one) => isOf(ways[0]!, one)))
    reading = readWait(all, starts)
    // Those that were let be on the way have not shown how often it looks.
    if (options.stopped()) return reading.kind === 'found' ? atMost(reading, false) : reading
  }
  return reading
}

/**
 * What is said where no more connections are made: from what was still left alone on, if the looks
 * were seen, so that the setting lies between the two times.
 */
function atMost(reading: Extract<WaitReading, { kind: 'found' }>, isWhole: boolean): WaitReading {
  const { ms, lateMs, belowMs } = reading
  if (isWhole && belowMs < ms / 4) {
    const more = { ms: ms - belowMs, lateMs: lateMs + belowMs, belowMs: 0, aboveMs: belowMs }
    return { ...reading, ...more }
  }
  const because =
    `ended ${ms} to ${ms + lateMs} ms after it began, as whoever looks only now and then ends ` +
    'it: how often that is was not seen in the time there was'
  return { kind: 'unclear', because }
}

/** Follows courses that begin so many ms later; returns why, where no connection is made. */
async function followAll(
  ways: readonly { course: Course; atMs: number }[],
  { maker, clock, upToMs, stopped }: WaitOptions
): Promise<WaitSighting[] | string> {
  const from = clock.now()
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
