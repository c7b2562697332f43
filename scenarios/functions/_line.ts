import type { Judge, Reply } from 'plimsoll'

/** Where a target draws a line, as far as that was found: between these two. */
export type Line = { passed: number; ended: number; isNarrow: boolean }

/** What came of asking about a value, and between which values it may really have been. */
export type Answered = { isPassed: boolean; from: number; to: number }

/**
 * How close on either side a line is asked about that is drawn by processor time, of which work
 * takes rather more than it was measured to, as something is beside it.
 */
const closest = { below: 0.86, beyond: 1.06 }
/** How far, in turn, where what is so close is not as documented. */
const farther = { below: [0.5, 0.5], beyond: [1.3, 1.3, 2, 2] }
/**
 * So often a side is asked about closely at most, by how many answers one has to be ahead, and how
 * often more where one that is not as documented was met too inexactly to say so.
 */
const [tries, lead, more] = [4, 2, 4]
/** What is beside work takes so much processor time itself. */
const besidesMs = 1.25
/** A side is near that is so many times what is documented, or the other way round, at most. */
const near = 1.3
/** A machine may have surprised once: a line is where it was seen twice. */
const times = 2

type Side = 'below' | 'beyond'
const sides: readonly Side[] = ['below', 'beyond']

/** What was asked about a side closely and was as documented, or not, or perhaps; and farther. */
type Asked = { as: number; not: number; vague: number; far: number; isFar: boolean }

/**
 * Finds a line by asking on both sides of where it is documented to be, until most answers say that
 * it is there, or the interval that it lies in leaves the documented number out. Whoever is asked
 * says how exactly a value was met; undefined ends the search.
 */
export async function lineAround(
  documented: number,
  ask: (value: number) => Promise<Answered | undefined>
): Promise<Line | undefined> {
  const answers: Answered[] = []
  const none = { as: 0, not: 0, vague: 0, far: 0, isFar: false }
  const asked: Record<Side, Asked> = { below: { ...none }, beyond: { ...none } }
  for (;;) {
    const line = lineOf(answers, documented)
    const isSettled = (side: Side) =>
      asked[side].as > asked[side].not + asked[side].vague && isNear[side](line, documented)
    const open = sides.find((side) => !isSettled(side) && factorOf(side, asked[side]) !== undefined)
    if (!isAround(line, documented) || open === undefined)
      return { ...line, isNarrow: sides.every(isSettled) }
    const side = asked[open]
    const seen = await ask(factorOf(open, side)! * documented - (open === 'below' ? besidesMs : 0))
    if (seen === undefined) return undefined
    answers.push(seen)
    const isAs = seen.isPassed === (open === 'below')
    const isVague = seen.from <= documented && documented <= seen.to
    if (isClose(side)) side[isAs ? 'as' : isVague ? 'vague' : 'not']++
    else Object.assign(side, { far: side.far + 1, isFar: isAs })
  }
}

/** Whether a side is still asked about closely. */
function isClose({ as, not, vague }: Asked): boolean {
  return as + not + vague < tries + Math.min(vague, more) && not - as < lead
}

/** At how many times what is documented a side is asked about next, if it is. */
function factorOf(side: Side, asked: Asked): number | undefined {
  if (isClose(asked)) return closest[side]
  return asked.isFar ? undefined : farther[side][asked.far]
}

/** Where a line is by some answers; one that contradicts what is documented needs another. */
function lineOf(answers: readonly Answered[], documented: number): Interval {
  const passed = answers.filter((one) => one.isPassed).map(({ from }) => from)
  const ended = answers.filter((one) => !one.isPassed).map(({ to }) => to)
  const isOff = {
    beyond: passed.filter((from) => from > documented).length >= times,
    below: ended.filter((to) => to < documented).length >= times
  }
  return {
    passed: Math.max(0, ...passed.filter((from) => isOff.beyond || from <= documented)),
    ended: Math.min(Infinity, ...ended.filter((to) => isOff.below || to >= documented))
  }
}

type Interval = Omit<Line, 'isNarrow'>

function isAround({ passed, ended }: Interval, documented: number): boolean {
  return passed <= documented && documented <= ended
}

const isNear: Record<Side, (line: Interval, documented: number) => boolean> = {
  below: ({ passed }, documented) => (passed + 2 * besidesMs) * near >= documented,
  beyond: ({ ended }, documented) => ended - 2 * besidesMs <= documented * near
}

/**
 * Judges where a line is: in an interval that is narrow around the documented number. Another one
 * that has the number in it contradicts nothing, and shows nothing: it is told, with the reason.
 */
export function judgeLine(
  { verify, observe }: Judge,
  {
    clause,
    documented,
    line,
    of,
    replies
  }: { clause: string; documented: number; line: Line; of: string; replies: Evidence }
): void {
  const { passed, ended } = line
  const low = passed === 0 ? 'hardly any passes' : `${Math.round(passed)} ms pass`
  const high = ended === Infinity ? 'and nothing ends' : `${Math.round(ended)} do not`
  const saw = `of ${of} ${low}, ${high}`
  const holds = isAround(line, documented)
  if (!holds || line.isNarrow) verify(clause, { holds, saw }, ...replies)
  else observe(clause, `${saw}; nothing closer can be told by how long work takes here`, ...replies)
}

type Evidence = [Reply, ...Reply[]]

/** A line that was looked for: of what, and what was asked for that. */
export type Found = { line: Line; of: string; replies: Evidence }

/** Judges several lines of one number: where some are elsewhere, what others leave open is none. */
export function judgeLines(
  judge: Judge,
  { clause, documented, lines }: { clause: string; documented: number; lines: readonly Found[] }
): void {
  const odd = lines.filter(({ line }) => !isAround(line, documented))
  for (const one of odd.length > 0 ? odd : lines) judgeLine(judge, { clause, documented, ...one })
}
