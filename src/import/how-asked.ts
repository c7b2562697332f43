import { type Distinct, differing } from './distinct.ts'
import type { SampleValue } from './sample.ts'
import type { FlatSchema } from './schema.ts'
import { ofLength, type Sized } from './strings.ts'

/**
 * Values at the ends of what is taken, and one like them that is at none: where that is refused
 * they may be so as well, for what no document says.
 */
export type Ends = { like: unknown; taken: unknown[] }

/**
 * A value of another type that is refused, unless one like it is taken: who makes a text of a
 * number makes one of null as well.
 */
export type Coerced = { like: unknown; refused: unknown }

/** How a constraint is asked about, at its place in a request. */
export type HowAsked =
  | {
      form: 'limit'
      max: number
      smallest: number
      resolution?: number
      /** The largest number that there is a value of, where there are not as many as one likes. */
      most?: number
      value: LimitValue
    }
  | {
      form: 'sides'
      accepted: unknown[]
      refused: unknown[]
      ends?: Ends
      coerced?: Coerced
      /** Whether those in a path are all that the document lists. */
      isListed?: boolean
    }
  /** Not at all, and why. */
  | { form: 'left'; because: string }

/** What is sent of a number that is searched for. */
export type LimitValue =
  | { kind: 'number' }
  /** With a text of the document, of whose shape longer ones are. */
  | { kind: 'text'; sized: Sized; like?: string }
  /** Of different items, where they have to be. */
  | { kind: 'list'; item: unknown; of?: Distinct }
  | { kind: 'object'; item: unknown }

/** That of one number. */
export function sentAt(value: LimitValue, n: number): unknown {
  if (value.kind === 'number') return n
  if (value.kind === 'text') return ofLength(value.sized, n)
  if (value.kind === 'object') {
    return Object.fromEntries(Array.from({ length: n }, (_, index) => [`x${index}`, value.item]))
  }
  const { item, of } = value
  return Array.from({ length: n }, (_, index) => (of ? differing(of, index) : item))
}

/** What a document says of one value of a request. */
export type Constraint = {
  keyword: string
  pointer: string
  documented: string
  /** Of a limit. */
  unit?: string
  /** Whether the document leaves it to the service to heed it. */
  isAdvice?: boolean
  asked: HowAsked
  /** What is asked, too, where a line is searched for. */
  also?: HowAsked
}

/** The value that constraints are about. */
export type ConstraintSubject = {
  /** Its place in the request. */
  at: string
  name: string
  schema: FlatSchema
  sample: SampleValue
  /** Of an item or a member. */
  inner: SampleValue
  /** Of its items, which have to be different: how such are made, where that is known. */
  distinct?: Distinct
  /** Whether it travels as text, as in a query. */
  isText: boolean
  /** Whether nothing may be empty there, as in a path or a header. */
  isFilled: boolean
  /** Whether it is a field that has to be there. */
  isRequired?: boolean
}

type Sides = HowAsked & { form: 'sides' }

/** The same with those values only among the ones that are taken which some place takes. */
export function takenWhere(sides: Sides, isTaken: (value: unknown) => boolean): Sides {
  const { ends, ...rest } = sides
  const kept = ends !== undefined && isTaken(ends.like) ? ends.taken.filter(isTaken) : []
  return {
    ...rest,
    accepted: rest.accepted.filter(isTaken),
    ...(kept.length > 0 && { ends: { like: ends!.like, taken: kept } })
  }
}
