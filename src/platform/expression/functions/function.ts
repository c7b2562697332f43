import type { Type, Value } from '../scheme.ts'
import type { Literal } from '../syntax.ts'

/** A function of the language: what it takes, what it gives, and how it is done. */
export type RuleFunction = {
  readonly parameters: readonly Parameter[]
  /** How many of the last parameters may be left out. */
  readonly optional?: number
  /** What may follow the parameters, any number of times. */
  readonly rest?: Parameter
  readonly returns: Type | ((inputs: readonly Type[]) => Type)
  /** What is wrong with the inputs taken together, or undefined. */
  readonly fault?: (inputs: readonly Type[]) => string | undefined
  /** Whether it is called even when an input is missing; others are then missing themselves. */
  readonly missing?: 'accepted'
  /**
   * Prepares a call, once for an expression, from those inputs that are written in it; what it
   * returns is called for each request, or for each element of a mapped input.
   */
  readonly prepare: (written: readonly (Literal | undefined)[]) => Work
}

/** The work of a call: from the values of its inputs to its own value, undefined when missing. */
export type Work = (...values: any[]) => Value | undefined

/** What a function takes in one place. */
export type Parameter = {
  /** The types that will do; `Array<_>` is any array. */
  readonly types: readonly (Type | 'Array<_>')[]
  /** Whether it must be written in the expression, or must not. */
  readonly written?: 'always' | 'never'
  /** What is wrong with a written input, or undefined. */
  readonly fault?: (literal: Literal) => string | undefined
}

/** Any string. */
export const string: Parameter = { types: ['Bytes'] }

/** A string that is not written in the expression. */
export const stringField: Parameter = { types: ['Bytes'], written: 'never' }

/** A string written in the expression. */
export const stringLiteral: Parameter = { types: ['Bytes'], written: 'always' }

/** Any whole number. */
export const integer: Parameter = { types: ['Int'] }

/** A whole number written in the expression, from `first` to `last`. */
export function integerLiteral(first: number, last: number): Parameter {
  return {
    types: ['Int'],
    written: 'always',
    fault: ({ value }) =>
      (value as bigint) < first || (value as bigint) > last
        ? `must be from ${first} to ${last}`
        : undefined
  }
}

/** Flags written in the expression as letters, each of them one of `letters`. */
export function flagsLiteral(letters: string): Parameter {
  return {
    types: ['Bytes'],
    written: 'always',
    fault: ({ value }) =>
      [...(value as string)].every((letter) => letters.includes(letter))
        ? undefined
        : `may have the letters ${letters} only`
  }
}

/** A call that needs no preparation. */
export function plain(work: Work): RuleFunction['prepare'] {
  return () => work
}
