import type { Line } from '../../client/line.ts'
import type { ClockStart, Course } from './course.ts'

/** How a target ended what it did not want to wait for any longer. */
export type WaitEnding = {
  /** When the first of it was seen, in ms on the clock. */
  at: number
  /** Status of an answer that nobody had asked for yet; 0 where there was none. */
  status: number
  /** What became of the connection; it stays open where nothing did within a second. */
  how: 'closed' | 'reset' | 'left open'
}

/** What was seen on one connection: what began when, and the end. */
export type WaitSighting = {
  variant: string
  marks: { at: number; starts: readonly ClockStart[] }[]
  /** Absent where the target went along with it up to `untilMs`. */
  ending?: WaitEnding
  /** Until when it was looked at. */
  until: number
}

const closingMs = 1_000
/** How often it is looked whether all is to stop, in ms. */
const breathMs = 250

/** Says what a course says on a line, and looks at it until it ends or `upToMs` are over. */
export async function follow(
  line: Line,
  course: Course,
  { now, upToMs, stopped }: { now: () => number; upToMs: number; stopped: () => boolean }
): Promise<WaitSighting> {
  const { steps, answers, variant } = course
  const marks: WaitSighting['marks'] = [{ at: line.begunAt, starts: ['connection'] }]
  const isOver = () => line.ending !== undefined || line.answers.length > answers
  const wait = async (untilMs: number) => {
    while (!isOver() && !stopped() && now() < untilMs) {
      await line.heard(Math.min(breathMs, untilMs - now()))
    }
  }
  const beganAt = now()
  for (const { atMs, bytes, starts } of steps) {
    await wait(beganAt + atMs)
    if (isOver() || stopped()) break
    marks.push({ at: line.say(bytes), starts })
  }
  const lastAskedAt = marks.findLast(({ starts }) => !starts.includes('connection'))?.at ?? beganAt
  await wait((course.requires ? beganAt : lastAskedAt) + upToMs)
  const until = now()
  const unasked = line.answers[answers]
  // The rest of the answer comes first, and what becomes of the connection after it.
  if (unasked !== undefined && line.ending === undefined) await line.heard(closingMs)
  if (unasked !== undefined && line.ending === undefined) await line.heard(closingMs)
  line.close()
  for (const { endedAt } of line.answers.slice(0, answers)) {
    if (endedAt !== undefined) marks.push({ at: endedAt, starts: ['answer'] })
  }
  marks.sort((a, b) => a.at - b.at)
  const at = unasked?.beganAt ?? line.ending?.at
  if (at === undefined) return { variant, marks, until }
  const { status = 0 } = unasked ?? {}
  return { variant, marks, until, ending: { at, status, how: line.ending?.how ?? 'left open' } }
}
