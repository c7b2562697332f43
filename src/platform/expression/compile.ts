import { type Lists, predicateOf } from './predicate.ts'
import type { Facts, Value } from './scheme.ts'
import { sourceOf } from './source.ts'
import { type Combinator, type Comparison, type Expression, isMapped } from './syntax.ts'

export type { Lists } from './predicate.ts'

/** What an expression says about a request. */
export type Check = (facts: Facts) => boolean

/** What an expression over an array says about a request: an answer for each element. */
export type Checks = (facts: Facts) => readonly boolean[]

/**
 * Prepares an expression that was parsed, once, so that running it for a request costs no more than
 * the comparisons it takes. Without `lists`, nothing is in any list.
 */
export function compile(
  expression: Expression,
  { lists = () => false }: { lists?: Lists } = {}
): Check {
  return checkOf(expression, lists)
}

/** Prepares an expression whose value is one boolean. */
export function checkOf(expression: Expression, lists: Lists): Check {
  switch (expression.kind) {
    case 'constant':
      return () => expression.value
    case 'group':
      return checkOf(expression.inner, lists)
    case 'not': {
      const inner = checkOf(expression.inner, lists)
      return (facts) => !inner(facts)
    }
    case 'quantifier':
      return quantifierOf(expression, lists)
    case 'combination': {
      const checks = expression.operands.map((operand) => checkOf(operand, lists))
      if (expression.operator === 'and') return (facts) => checks.every((check) => check(facts))
      if (expression.operator === 'or') return (facts) => checks.some((check) => check(facts))
      return (facts) => checks.reduce((odd, check) => odd !== check(facts), false)
    }
    default:
      return comparisonOf(expression, lists)
  }
}

/** A comparison with a missing value is false, whatever it asks. */
function comparisonOf(comparison: Comparison, lists: Lists): Check {
  const source = sourceOf(comparison.left, lists)
  const predicate = predicateOf(comparison, lists)
  return (facts) => {
    const value = source(facts)
    return value !== undefined && predicate(value)
  }
}

type Quantifier = Extract<Expression, { kind: 'quantifier' }>

function quantifierOf({ quantifier, inner }: Quantifier, lists: Lists): Check {
  const reduce = quantifier === 'any' ? isAny : isAll
  // Of a missing array of booleans not even `all` is true; asked of no elements, it is.
  if (inner.kind === 'truth' && !isMapped(inner.left)) {
    const source = sourceOf(inner.left, lists)
    return (facts) => {
      const values = source(facts)
      return values !== undefined && reduce(values as readonly boolean[])
    }
  }
  const checks = checksOf(inner, lists)
  return (facts) => reduce(checks(facts))
}

function isAny(values: readonly boolean[]): boolean {
  return values.includes(true)
}

function isAll(values: readonly boolean[]): boolean {
  return !values.includes(false)
}

/** Prepares an expression whose value is an array of booleans. */
export function checksOf(expression: Expression, lists: Lists): Checks {
  switch (expression.kind) {
    case 'group':
      return checksOf(expression.inner, lists)
    case 'not': {
      const inner = checksOf(expression.inner, lists)
      return (facts) => inner(facts).map((value) => !value)
    }
    case 'combination':
      return combinationOf(expression, lists)
    case 'constant':
    case 'quantifier':
      throw new Error('a single boolean where an array was read')
    default:
      return comparisonsOf(expression, lists)
  }
}

/** Answers element by element, as far as all operands have elements. */
function combinationOf({ operator, operands }: Combination, lists: Lists): Checks {
  const all = operands.map((operand) => checksOf(operand, lists))
  const join = joins[operator]
  return (facts) =>
    all
      .map((checks) => checks(facts))
      .reduce((left, right) =>
        left.slice(0, right.length).map((value, place) => join(value, right[place]!))
      )
}

type Combination = Extract<Expression, { kind: 'combination' }>

const joins: Record<Combinator, (left: boolean, right: boolean) => boolean> = {
  and: (left, right) => left && right,
  or: (left, right) => left || right,
  xor: (left, right) => left !== right
}

/** Asks each element; of a missing array there are none to ask. */
function comparisonsOf(comparison: Comparison, lists: Lists): Checks {
  const source = sourceOf(comparison.left, lists)
  const predicate = predicateOf(comparison, lists)
  return (facts) => ((source(facts) ?? []) as readonly Value[]).map(predicate)
}
