import type { Judge, Reply } from 'plimsoll'

/** Where a target draws a line, as far as that was found: between these two. */
export type Line = { passed: number; ended: number }

/** What came of asking about a value, and between which values it may really have been. */
export type Answered = { isPassed: boolean; from: number; to: number }

/** How close on either side a line is asked about that is drawn by processor time. */
const closest = { below: 0.8, beyond: 1.25 }
/** How far beyond, where nothing so close can be told from what is documented. */
const farthest = 2
/** An interval is narrow whose end is so many times its beginning at most. */
const narrow = 2.5
/** So many values are asked about at most. */
const most = 8

/**
 * Finds a line by asking on both sides of where it is documented to be, and then in between, until
 * the interval that it lies in is narrow, or leaves the documented number out. Whoever is asked
 * says how exactly a value was met; undefined ends the search.
 */
export async function lineAround(
  documented: number,
  ask: (value: number) => Promise<Answered | undefined>
): Promise<Line | undefined> {
  const line: Line = { passed: 0, ended: Infinity }
  for (let asked = 0; asked < most; asked++) {
    const value = nextIn(line, { documented, asked })
    if (value === undefined) break
    const seen = await ask(value)
    if (seen === undefined) return undefined
    if (seen.isPassed) line.passed = Math.max(line.passed, seen.from)
    else line.ended = Math.min(line.ended, seen.to)
  }
  return line
}

function nextIn(
  line: Line,
  { documented, asked }: { documented: number; asked: number }
): number | undefined {
  const { passed, ended } = line
  if (!isAround(line, documented)) return undefined
  // Whoever surprises is asked the same again: it may have been another value that time.
  if (passed === 0) return asked < most / 2 ? closest.below * documented : ended / 2
  if (ended === Infinity) return (asked < most / 2 ? closest.beyond : farthest) * documented
  return isNarrow(line) ? undefined : Math.sqrt(passed * ended)
}

function isAround({ passed, ended }: Line, documented: number): boolean {
  return passed <= documented && documented <= ended
}

function isNarrow({ passed, ended }: Line): boolean {
  return ended <= narrow * passed
}

/**
 * Judges where a line is: in an interval that is narrow, and has the documented number in it. One
 * that is not narrow contradicts nothing, and shows nothing: it is only told, with the reason.
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
  if (!holds || isNarrow(line)) verify(clause, { holds, saw }, ...replies)
  else observe(clause, `${saw}; work takes too differently long here to tell it closer`, ...replies)
}

type Evidence = [Reply, ...Reply[]]
