import { absent } from '../scenario/place.ts'
import type { Rivals } from './choices.ts'
import { type HowAsked, sentAt, takenWhere } from './how-asked.ts'
import { left } from './keywords.ts'
import type { SampleValue } from './sample.ts'
import type { FlatSchema } from './schema.ts'
import { hasTwins } from './violated.ts'

/** Whether what a value stands in takes it there. */
export type Fits = (value: unknown) => boolean

/** What is asked, without what one of the other alternatives of a choice would take. */
export function apart(asked: HowAsked, rivals: readonly Rivals[]): HowAsked {
  if (rivals.length === 0 || asked.form === 'left') return asked
  const isTaken = (value: unknown) => rivals.some(({ mayTake }) => mayTake(value))
  // Of exactly one alternative, what is of two is refused.
  const isTwo = (value: unknown) => rivals.some((one) => one.isOne && one.mayTake(value))
  const because = 'another alternative of the choice takes what would be asked'
  if (asked.form === 'limit') {
    const { value, smallest, max, resolution = 1, most = 2 * max } = asked
    const isSmall = value.kind === 'number' || most <= mostHeld
    if (!isSmall) return left('too large to be held against other alternatives')
    const over = [max + resolution, most].map((n) => sentAt(value, n))
    const within = [smallest, max].map((n) => sentAt(value, n))
    return over.some(isTaken) || within.some(isTwo) ? left(because) : asked
  }
  const refused = asked.refused.filter((value) => !isTaken(value))
  if (refused.length === 0 && asked.refused.length > 0) return left(because)
  const { coerced, ...rest } = takenWhere(asked, (value) => !isTwo(value))
  const isOwn = coerced !== undefined && !isTaken(coerced.refused)
  return { ...rest, refused, ...(isOwn && { coerced }) }
}

/** The same rivals, of a value within what they are rivals for. */
export const rivalsWithin = (
  rivals: readonly Rivals[],
  holding: (value: unknown) => unknown
): Rivals[] =>
  rivals.map(({ mayTake, isOne }) => ({ mayTake: (value) => mayTake(holding(value)), isOne }))

/** An object with a member, or without it where that is absent. */
export const withMember =
  (others: object, name: string) =>
  (value: unknown): object => {
    const rest = Object.entries(others).filter(([one]) => one !== name)
    return Object.fromEntries(value === absent ? rest : [...rest, [name, value]])
  }

type Holder = { schema: FlatSchema; sample: SampleValue; fits?: Fits }

/** Whether a list takes a value as its first item, beside the others that are sent with it. */
export function fitsAsItem({ schema, sample, fits }: Holder): Fits | undefined {
  const rest = Array.isArray(sample?.value) ? sample.value.slice(1) : []
  const isUnique = schema.keywords.uniqueItems?.value === true && rest.length > 0
  if (!isUnique) return fits && ((value) => fits([value, ...rest]))
  return (value) => !hasTwins([value, ...rest]) && (fits?.([value, ...rest]) ?? true)
}

/** Whether an object takes a value as a member, beside the others that are sent with it. */
export const fitsAsMember = (
  fits: Fits | undefined,
  others: object,
  name: string
): Fits | undefined => fits && ((value) => fits(withMember(others, name)(value)))

const isAnyTaken = ({ accepted, ends }: HowAsked & { form: 'sides' }) =>
  accepted.length > 0 || ends !== undefined

/** More of something is not made only to see whether it fits. */
const mostHeld = 10_000

/** What is asked, without what would be refused for the sake of what it stands in. */
export function fitting(asked: HowAsked, fits: Fits | undefined): HowAsked {
  if (fits === undefined || asked.form === 'left') return asked
  const because = 'what it stands in does not take what would be asked'
  if (asked.form === 'limit') {
    const { value, smallest, max, resolution = 1 } = asked
    if (value.kind !== 'number' && max > mostHeld) {
      return fits(sentAt(value, smallest)) ? asked : left(because)
    }
    // Whoever searches for a line that is off may come by what stands beside it.
    const [accepted, refused] = [max, max + resolution].map((n) => [sentAt(value, n)])
    const sides = { form: 'sides', accepted: accepted!, refused: refused! } as const
    return accepted!.every(fits) ? sides : left(because)
  }
  const kept = takenWhere(asked, fits)
  return isAnyTaken(asked) && !isAnyTaken(kept) ? left(because) : kept
}
