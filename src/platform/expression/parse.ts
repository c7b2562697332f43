import { readQuestion } from './comparison.ts'
import { type Cursor, nested, skipSpace } from './cursor.ts'
import { expect, isNext, nextMatch, refuse, takeOne } from './scanner.ts'
import { type Combinator, type Expression, isPlural } from './syntax.ts'
import { readTerm } from './term.ts'

// The grammar is recursive, and so are the files that read it: a combination holds comparisons, a
// comparison a term, a term may be a call, and a call may be given another combination.

/** The ways to write what joins expressions, weakest first. */
const combinators: readonly (readonly [Combinator, string])[] = [
  ['or', '||'],
  ['xor', '^^'],
  ['and', '&&']
]

/** Reads a whole expression, up to the end of the source. */
export function readExpression(cursor: Cursor): Expression {
  const start = cursor.at
  const expression = readCombination(cursor)
  if (isPlural(expression)) {
    refuse(cursor, 'must be Bool, not Array<Bool>', { start, end: cursor.at })
  }
  if (cursor.at < cursor.source.length) refuse(cursor, 'unrecognised input')
  return expression
}

/** Reads expressions joined by combinators of one strength or stronger. */
export function readCombination(cursor: Cursor, strength = 0): Expression {
  const spellings = combinators[strength]
  if (!spellings) return readUnary(cursor)
  const first = readCombination(cursor, strength + 1)
  const operands = [first]
  while (takeCombinator(cursor, spellings)) {
    const start = cursor.at
    const operand = readCombination(cursor, strength + 1)
    if (isPlural(operand) !== isPlural(first)) {
      const reason = `must be ${typeName(first)}, not ${typeName(operand)}`
      refuse(cursor, reason, { start, end: cursor.at })
    }
    operands.push(operand)
  }
  if (operands.length === 1) return first
  return { kind: 'combination', operator: spellings[0], operands }
}

function takeCombinator(cursor: Cursor, spellings: readonly string[]): boolean {
  const { at } = cursor
  skipSpace(cursor)
  if (takeOne(cursor, spellings) === undefined) {
    cursor.at = at
    return false
  }
  skipSpace(cursor)
  return true
}

function typeName(expression: Expression): string {
  return isPlural(expression) ? 'Array<Bool>' : 'Bool'
}

/** Whether what comes next is bracketed, negated, a quantifier or a constant. */
export function isUnaryNext(cursor: Cursor): boolean {
  return (
    nextMatch(cursor, /\(|!|not|(?:any|all)[ \r\n]*\(/y) !== undefined || isConstantNext(cursor)
  )
}

function isConstantNext(cursor: Cursor): boolean {
  const word = nextMatch(cursor, /(?:true|false)(?![\w.])/y)
  return word !== undefined && !Object.hasOwn(cursor.scheme, word)
}

function readUnary(cursor: Cursor): Expression {
  if (isNext(cursor, '(')) {
    return nested(cursor, () => ({ kind: 'group', inner: readBracketed(cursor) }))
  }
  if (isNext(cursor, '!') || isNext(cursor, 'not')) {
    return nested(cursor, () => {
      takeOne(cursor, ['!', 'not'])
      skipSpace(cursor)
      return { kind: 'not', inner: readUnary(cursor) }
    })
  }
  if (isConstantNext(cursor)) {
    return { kind: 'constant', value: takeOne(cursor, ['true', 'false']) === 'true' }
  }
  return isUnaryNext(cursor) ? readQuantifier(cursor) : readQuestion(cursor, readTerm(cursor))
}

function readBracketed(cursor: Cursor): Expression {
  expect(cursor, '(')
  skipSpace(cursor)
  const inner = readCombination(cursor)
  skipSpace(cursor)
  expect(cursor, ')')
  return inner
}

/** Reads `any(…)` or `all(…)`, whose argument is one comparison unless it is put in brackets. */
function readQuantifier(cursor: Cursor): Expression {
  const quantifier = takeOne(cursor, ['any', 'all'])!
  skipSpace(cursor)
  return nested(cursor, () => {
    expect(cursor, '(')
    skipSpace(cursor)
    const start = cursor.at
    const inner = isUnaryNext(cursor) ? readCombination(cursor) : readUnary(cursor)
    if (!isPlural(inner)) refuse(cursor, 'must be Array<Bool>, not Bool', { start, end: cursor.at })
    skipSpace(cursor)
    expect(cursor, ')')
    return { kind: 'quantifier', quantifier, inner }
  })
}
