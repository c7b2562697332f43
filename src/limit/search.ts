import type { Answer } from './answer.ts'
import { type AskedValue, type Boundary, leastSurprises } from './boundary.ts'

/** What to search for a boundary. */
export type SearchOptions = {
  /** Every value the document can mean by its limit, ascending; never empty. */
  readings: readonly number[]
  /** A value that any working target accepts, not above the readings; asked first. */
  smallest: number
  /** Distance at which two values are neighbours. */
  resolution: number
  /** The largest value worth asking. */
  ceiling: number
  /** How often each side of the boundary, and a surprise, is asked. */
  repeats: number
}

/**
 * Finds where a target draws the line: yields the values to ask, and is given their answers.
 *
 * It asks the smallest value, the highest reading and the next value after that. Who draws the
 * line there takes the lower readings too, which may be costly to send; of anybody else the lowest
 * one is asked. Where all of this comes out as documented it is left to find which reading the
 * target uses, and to ask both sides of the line until each has `repeats` answers. With three
 * repeats that makes seven questions for one reading and for the higher of two, nine for the lower,
 * and more only where the line lies between two readings.
 *
 * A surprise is asked again, three times in all, before it counts, and eight times where
 * connections were lost. Then comes its neighbour, in case the line is off by one, and then the
 * search doubles its way up to the ceiling or halves its way down: in all, about
 * log2(ceiling / resolution) questions more. A value without a clear answer is asked again, up to
 * `repeats` times.
 */
export function* search(options: SearchOptions): Generator<number, Boundary, Answer> {
  const asked: AskedValue[] = []
  for (;;) {
    const next = decide(asked, options)
    if (typeof next === 'object') return { ...next, asked }
    asked.push(askedValue(next, yield next))
  }
}

/** The largest value accepted so far, and the smallest refused. */
type Sides = { accepted?: number; rejected?: number }

/** The value to ask next, or what it all amounts to: the answers are all that a search knows. */
function decide(
  asked: readonly AskedValue[],
  options: SearchOptions
): number | Omit<Boundary, 'asked'> {
  const { readings, smallest, resolution, ceiling, repeats } = options
  const answers = (value?: number) => clear(asked).filter((one) => one.value === value)
  const times = (value?: number) => answers(value).length
  const conclude = (kind: Boundary['kind'], because: string, sides: Sides = {}) => {
    const counts = { accepted: times(sides.accepted), rejected: times(sides.rejected) }
    return { kind, because, ...sides, repeats: counts }
  }

  const trouble = contradiction(asked) ?? silence(asked, repeats)
  if (trouble !== undefined) return conclude('unclear', trouble)
  const last = asked.at(-1)
  if (last?.kind === 'unclear') return last.value
  if (last && isSurprise(last, options)) {
    const told = answers(last.value)
    if (told.length < Math.max(repeats, leastSurprises(told))) return last.value
  }

  const { accepted, rejected } = sidesOf(asked)
  if (rejected === smallest) {
    return conclude('closed', `not even ${smallest} was accepted: ${last!.because}`, { rejected })
  }
  const [lowest, highest] = [readings[0]!, readings.at(-1)!]
  const beyond = highest + resolution
  const opening = [smallest, highest, beyond]
  const open = opening.find((value) => times(value) === 0)
  if (open !== undefined) return open
  if (accepted !== highest && times(lowest) === 0) return lowest
  if (rejected === undefined) {
    // A limit that is off is most often off by one, and a value that is taken is costly to send.
    const next = accepted === beyond ? beyond + resolution : 2 * accepted!
    if (accepted! < ceiling) return Math.min(next, ceiling)
    return conclude('unlimited', `everything up to ${accepted} was accepted`, { accepted })
  }
  if (rejected - accepted! > resolution) return between(accepted!, rejected, options)
  const unsure = [accepted, rejected].find((value) => times(value) < repeats)
  if (unsure !== undefined) return unsure
  const because = `${accepted} was accepted, ${rejected} was refused`
  return conclude('found', because, { accepted, rejected })
}

/** What is kept of an answer. */
export function askedValue(value: number, { kind, proper, because, evidence }: Answer): AskedValue {
  return { value, kind, proper, because, ...(evidence.kind === 'closed' && { lost: true }) }
}

function clear(asked: readonly AskedValue[]): AskedValue[] {
  return asked.filter((one) => one.kind !== 'unclear')
}

function sidesOf(asked: readonly AskedValue[]): Sides {
  const of = (kind: AskedValue['kind']) =>
    asked.filter((one) => one.kind === kind).map((one) => one.value)
  const [accepted, rejected] = [of('accepted'), of('rejected')]
  return {
    accepted: accepted.length > 0 ? Math.max(...accepted) : undefined,
    rejected: rejected.length > 0 ? Math.min(...rejected) : undefined
  }
}

/** Whether an answer is one that no target as documented would give. */
function isSurprise({ kind, proper, value }: AskedValue, options: SearchOptions): boolean {
  const { readings, smallest, resolution } = options
  if (!proper) return true
  if (kind === 'rejected') return value === smallest || value === readings[0]
  return value === readings.at(-1)! + resolution
}

/** A value strictly between two that are no neighbours: one a reading turns on, or the middle. */
function between(accepted: number, rejected: number, options: SearchOptions): number {
  const { readings, resolution } = options
  const turns = [
    ...readings.toReversed(),
    ...readings.map((value) => value + resolution),
    readings[0]! - resolution
  ]
  const turn = turns.find((value) => accepted < value && value < rejected)
  const half = Math.floor((rejected - accepted) / (2 * resolution))
  return turn ?? accepted + Math.max(1, half) * resolution
}

/** Which answers no threshold could give: a value accepted that is not below one refused. */
function contradiction(asked: readonly AskedValue[]): string | undefined {
  const { accepted, rejected } = sidesOf(asked)
  if (accepted === undefined || rejected === undefined || accepted < rejected) return
  const why = (kind: AskedValue['kind'], value: number) =>
    asked.find((one) => one.kind === kind && one.value === value)!.because
  const [took, refused] = [why('accepted', accepted), why('rejected', rejected)]
  return accepted === rejected
    ? `${accepted} was both accepted (${took}) and refused (${refused})`
    : `${accepted} was accepted (${took}), but ${rejected} was refused (${refused})`
}

/** Which value has been asked again often enough without a clear answer. */
function silence(asked: readonly AskedValue[], repeats: number): string | undefined {
  const last = asked.at(-1)
  const unclear = asked.filter((one) => one.kind === 'unclear' && one.value === last!.value)
  if (unclear.length <= repeats) return
  return `${last!.value} got no clear answer, ${unclear.length} times: ${last!.because}`
}
