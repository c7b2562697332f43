import type { SampleValue } from './sample.ts'
import type { FlatSchema } from './schema.ts'
import { ofLength, type Sized } from './strings.ts'

/** How a constraint is asked about, at its place in a request. */
export type HowAsked =
  | { form: 'limit'; max: number; smallest: number; resolution?: number; value: LimitValue }
  | { form: 'sides'; accepted: unknown[]; refused: unknown[] }
  /** Not at all, and why. */
  | { form: 'left'; because: string }

/** What is sent of a number that is searched for. */
export type LimitValue =
  | { kind: 'number' }
  | { kind: 'text'; sized: Sized }
  | { kind: 'list'; item: unknown; isVaried: boolean }
  | { kind: 'object'; item: unknown }

/** That of one number. */
export function sentAt(value: LimitValue, n: number): unknown {
  if (value.kind === 'number') return n
  if (value.kind === 'text') return ofLength(value.sized, n)
  if (value.kind === 'object') {
    return Object.fromEntries(Array.from({ length: n }, (_, index) => [`x${index}`, value.item]))
  }
  return Array.from({ length: n }, (_, index) => (value.isVaried ? `x${index}` : value.item))
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
  isItemVaried: boolean
  /** Whether it travels as text, as in a query. */
  isText: boolean
  /** Whether nothing may be empty there, as in a path or a header. */
  isFilled: boolean
}
