/** Where a target draws a line, as far as that was found: between what passed and what did not. */
export type Line = { passed: number; ended: number }

/**
 * How close on either side a line is asked about that is drawn by processor time: work is measured
 * on the same machine, where the same work takes half as much again while others are at work.
 */
const closest = { below: 0.55, beyond: 1.5 }
/** How far off a line is looked for where it is not as documented, and how narrow is enough. */
const [farthest, narrow] = [2, 3.5]

/**
 * Finds a line by asking on both sides of where it is documented to be, further out where that
 * comes as a surprise, and then in between. Undefined where nothing can be told of a value.
 */
export async function lineAround(
  documented: number,
  passes: (value: number) => Promise<boolean | undefined>
): Promise<Line | undefined> {
  let line: Line = { passed: 0, ended: Infinity }
  for (let value = nextIn(line, documented); value; value = nextIn(line, documented)) {
    const isPassed = await passes(value)
    if (isPassed === undefined) return undefined
    line = isPassed ? { ...line, passed: value } : { ...line, ended: value }
  }
  return line
}

function nextIn({ passed, ended }: Line, documented: number): number | undefined {
  const [below, beyond] = [closest.below * documented, closest.beyond * documented]
  if (passed === 0 && ended === Infinity) return below
  if (passed === 0) return ended > documented / farthest ? ended / 2 : undefined
  if (ended === Infinity) {
    if (passed < beyond) return beyond
    return passed < documented * farthest ? 2 * passed : undefined
  }
  return ended / passed > narrow ? Math.sqrt(ended * passed) : undefined
}

/** Whether a line is where it is documented to be. */
export function isAround({ passed, ended }: Line, documented: number): boolean {
  return passed <= documented && documented <= ended
}

/** A line in words. */
export function lineInWords({ passed, ended }: Line, unit: string): string {
  const low = passed === 0 ? 'hardly anything passes' : `about ${Math.round(passed)} ${unit} pass`
  return ended === Infinity ? `${low}, and nothing ends` : `${low}, ${Math.round(ended)} do not`
}
