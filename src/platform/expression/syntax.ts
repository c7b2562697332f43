import type { Address, AddressRange } from './address.ts'
import type { Type } from './scheme.ts'

/** An expression as a tree; brackets are kept, so that it is printed as it was grouped. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'group'; readonly inner: Expression }
  | { readonly kind: 'not'; readonly inner: Expression }
  | {
      readonly kind: 'quantifier'
      readonly quantifier: 'any' | 'all'
      /** Its value is an array of booleans. */
      readonly inner: Expression
    }
  | {
      readonly kind: 'combination'
      readonly operator: Combinator
      /** At least two, none of them a combination that binds weaker or by the same operator. */
      readonly operands: readonly Expression[]
    }
  | Comparison

/** What joins expressions, weakest first. */
export type Combinator = 'or' | 'xor' | 'and'

/** A term and what is asked of it. A mapped term asks of each element, and answers in an array. */
export type Comparison =
  | { readonly kind: 'truth'; readonly left: Term }
  | {
      readonly kind: 'ordering'
      readonly left: Term
      readonly operator: Ordering
      readonly right: Literal
    }
  | { readonly kind: 'member'; readonly left: Term; readonly members: readonly Member[] }
  | { readonly kind: 'listed'; readonly left: Term; readonly list: string }
  | { readonly kind: 'mask'; readonly left: Term; readonly mask: bigint }
  | { readonly kind: 'contains'; readonly left: Term; readonly part: string }
  | { readonly kind: 'matches'; readonly left: Term; readonly pattern: string }
  | {
      readonly kind: 'wildcard'
      readonly left: Term
      readonly pattern: string
      /** Whether the case of ASCII letters matters. */
      readonly strict: boolean
    }

/** Equal, not equal, at least, at most, more and less. */
export type Ordering = 'eq' | 'ne' | 'ge' | 'le' | 'gt' | 'lt'

/** A value written in the expression. */
export type Literal =
  | { readonly kind: 'literal'; readonly type: 'Bytes'; readonly value: string }
  | { readonly kind: 'literal'; readonly type: 'Int'; readonly value: bigint }
  | { readonly kind: 'literal'; readonly type: 'Ip'; readonly value: Address }

/** One element of a set: a string, or the whole numbers or addresses from `first` to `last`. */
export type Member =
  | { readonly type: 'Bytes'; readonly value: string }
  | { readonly type: 'Int'; readonly first: bigint; readonly last: bigint }
  | ({ readonly type: 'Ip' } & AddressRange)

/** A value to be looked up or computed: a field or a call, and the way into it. */
export type Term = {
  readonly kind: 'term'
  readonly root: Field | Call
  readonly indexes: readonly Index[]
  /** The type at the end of the way; of each element, when the term is mapped. */
  readonly type: Type
}

/** A fact by its name. */
export type Field = { readonly kind: 'field'; readonly name: string }

/** A function and what it is called with; a mapped first input calls it for each element. */
export type Call = {
  readonly kind: 'call'
  readonly name: string
  readonly inputs: readonly Input[]
}

/** What can be handed to a function. */
export type Input = Term | Literal | Expression

/** One step into an array or a map. `each` goes on with all of its elements: the term is mapped. */
export type Index =
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'each' }

/** Whether a term stands for the elements of an array or map rather than for one value. */
export function isMapped(term: Term): boolean {
  return term.indexes.some(({ kind }) => kind === 'each')
}

/** Whether an expression's value is an array of booleans rather than one. */
export function isPlural(expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'quantifier':
      return false
    case 'group':
    case 'not':
      return isPlural(expression.inner)
    case 'combination':
      return isPlural(expression.operands[0]!)
    default:
      return isMapped(expression.left) || expression.left.type === 'Array<Bool>'
  }
}

/** The type of a function's input as the function sees it: of each element, if it is mapped. */
export function typeOf(input: Input): Type {
  if (input.kind === 'literal' || input.kind === 'term') return input.type
  return isPlural(input) ? 'Array<Bool>' : 'Bool'
}
