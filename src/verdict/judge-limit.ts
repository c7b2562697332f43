import { type AskedValue, type Boundary, leastSurprises } from '../limit/boundary.ts'
import type { Limit } from '../limit/limit.ts'
import type { Conclusion } from './outcome.ts'
import { worse } from './verdict.ts'

type Asking = { variant: string; boundary: Boundary }

/**
 * Judges where a target draws a line by what the document allows; the worst variant decides.
 *
 * | what was found                                              | outcome        |
 * | ----------------------------------------------------------- | -------------- |
 * | the line lies on a reading of the document, or between two  | `pass`         |
 * | a value up to the smallest reading is refused               | `fail`         |
 * | a value beyond the largest reading is accepted              | `fail`         |
 * | refused as documented, but in a way the document rules out  | `fail`         |
 * | the same, but not every time it was asked                   | `inconclusive` |
 * | the answers contradict each other, or there were none       | `inconclusive` |
 * | not even the smallest value was accepted                    | `blocked`      |
 *
 * The smallest value is a canary and is not judged: who refuses one byte, be it by 401, 413 or 500,
 * has said nothing about the limit.
 */
export function judgeLimit(limit: Limit, boundaries: Asking[], documented: string): Conclusion {
  if (boundaries.length === 0) {
    return { outcome: 'inconclusive', observed: 'nothing', because: 'no value was asked' }
  }
  const judged = boundaries.map(({ variant, boundary }) => ({
    variant,
    ...judgeBoundary(limit, boundary, documented)
  }))
  const outcome = judged.map((one) => one.outcome).reduce(worse)
  const deciding = judged.filter((one) => one.outcome === outcome)
  const named = deciding.length < judged.length ? 'always' : 'when they differ'
  return {
    outcome,
    observed: recite(judged, (one) => one.observed, 'when they differ'),
    because: recite(deciding, (one) => one.because, named)
  }
}

/** Says each text once, after the names of the variants it is true of. */
function recite<T extends { variant: string }>(
  all: T[],
  text: (one: T) => string,
  named: 'always' | 'when they differ'
): string {
  const groups = [...Map.groupBy(all, text)]
  if (groups.length === 1 && named === 'when they differ') return groups[0]![0]
  return groups
    .map(([said, those]) => `${those.map(({ variant }) => variant || 'plain').join(', ')}: ${said}`)
    .join('; ')
}

function judgeBoundary(limit: Limit, boundary: Boundary, documented: string): Conclusion {
  switch (boundary.kind) {
    case 'found':
      return judgeFound(limit, boundary, documented)
    case 'unlimited':
      return judgeUnlimited(limit, boundary, documented)
    case 'closed':
      return judgeClosed(limit, boundary)
    case 'unclear':
      return { outcome: 'inconclusive', observed: 'no clear boundary', because: boundary.because }
  }
}

function judgeFound(limit: Limit, boundary: Boundary, documented: string): Conclusion {
  const accepted = boundary.accepted!
  const rejected = boundary.rejected!
  const [smallest, largest] = band(limit)
  const refusals = boundary.asked.filter((one) => one.kind === 'rejected' && one.value === rejected)
  const why = refusals.length > 0 ? ` (${reasons(refusals)})` : ''
  const observed = `${amount(accepted, limit)} accepted, ${rejected} refused${why}`
  const conclude = (outcome: Conclusion['outcome'], because: string) => ({
    outcome,
    observed,
    because
  })
  if (rejected <= smallest) {
    return conclude('fail', `${rejected} is refused, but the document promises ${documented}`)
  }
  if (accepted > largest) {
    return conclude('fail', `${accepted} is accepted, but the document says ${documented}`)
  }
  if (accepted < smallest) {
    return conclude('inconclusive', `nothing between ${accepted} and ${rejected} was asked`)
  }
  const manner = judgeManner(boundary)
  if (manner) return conclude(manner.outcome, manner.because)
  return conclude('pass', reading(limit, accepted, documented))
}

/**
 * What is wrong with the way values were refused; undefined when every refusal was proper. It
 * counts where a value was refused often enough and never as it should be.
 */
function judgeManner({ asked }: Boundary): Omit<Conclusion, 'observed'> | undefined {
  const refusals = asked.filter((one) => one.kind === 'rejected')
  const suspects = [...Map.groupBy(refusals, (one) => one.value)].flatMap(([value, all]) => {
    const improper = all.filter((one) => !one.proper)
    if (improper.length === 0) return []
    const isConfirmed = improper.length === all.length && all.length >= leastSurprises(all)
    const times = `${improper.length} of ${all.length}`
    const because = `${value} is not refused as it should be (${times}): ${reasons(improper)}`
    return [{ isConfirmed, because }]
  })
  const worst = suspects.find((one) => one.isConfirmed) ?? suspects[0]
  return worst && { outcome: worst.isConfirmed ? 'fail' : 'inconclusive', because: worst.because }
}

function judgeUnlimited(limit: Limit, boundary: Boundary, documented: string): Conclusion {
  const accepted = boundary.accepted!
  const observed = `${amount(accepted, limit)} accepted, nothing refused`
  return accepted > band(limit)[1]
    ? {
        outcome: 'fail',
        observed,
        because: `no limit up to there; the document says ${documented}`
      }
    : { outcome: 'inconclusive', observed, because: 'nothing beyond the limit was asked' }
}

function judgeClosed(limit: Limit, { asked }: Boundary): Conclusion {
  const refusals = asked.filter((one) => one.kind === 'rejected')
  const lowest = refusals.reduce((least, { value }) => Math.min(least, value), Infinity)
  if (refusals.length === 0) {
    return { outcome: 'blocked', observed: 'nothing accepted', because: 'no value was answered' }
  }
  const observed = `not even ${amount(lowest, limit)} accepted`
  return {
    outcome: 'blocked',
    observed,
    because: `the target was not usable: ${reasons(refusals)}`
  }
}

/** Which meaning of the documented number the target has chosen. */
function reading(limit: Limit, accepted: number, documented: string): string {
  const [smallest, largest] = band(limit)
  if (smallest === largest) return `the line is where the document draws it, at ${documented}`
  if (accepted === smallest) return `the target reads ${documented} as ${amount(smallest, limit)}`
  if (accepted === largest) return `the target reads ${documented} as ${binaryName(limit)}`
  return `the line lies between the readings of ${documented}, ${smallest} and ${largest}`
}

/** The largest reading by its binary name, `16 KiB`, or as a plain amount when it has none. */
function binaryName(limit: Limit): string {
  const [smallest, largest] = band(limit)
  for (const [index, unit] of ['KiB', 'MiB', 'GiB'].entries()) {
    const count = largest / 1_024 ** (index + 1)
    if (count === smallest / 1_000 ** (index + 1)) return `${count} ${unit}`
  }
  return amount(largest, limit)
}

/** Smallest and largest value the document can mean. */
function band(limit: Limit): [smallest: number, largest: number] {
  return [limit.readings[0]!, limit.readings.at(-1)!]
}

function amount(value: number, { unit }: Limit): string {
  return `${value} ${value === 1 ? unit.replace(/s$/, '') : unit}`
}

/** What the answers said, each once. */
function reasons(answers: AskedValue[]): string {
  return [...new Set(answers.map((one) => one.because))].join(', ')
}
