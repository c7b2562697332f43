import { type Cursor, skipSpace } from './cursor.ts'
import { readInteger, readLiteral, readMembers } from './literal.ts'
import { regexFault } from './regex.ts'
import { expect, isNext, nextMatch, refuse, take } from './scanner.ts'
import { readBytes, readPattern, readString } from './string.ts'
import { type Comparison, isMapped, type Literal, type Term } from './syntax.ts'
import { wildcardFault } from './wildcard.ts'

/** Every way to write an operator, and its name. The first that comes next is meant. */
const spellings = [
  ['in', 'in'],
  ['eq', 'eq'],
  ['==', 'eq'],
  ['ne', 'ne'],
  ['!=', 'ne'],
  ['ge', 'ge'],
  ['>=', 'ge'],
  ['le', 'le'],
  ['<=', 'le'],
  ['gt', 'gt'],
  ['>', 'gt'],
  ['lt', 'lt'],
  ['<', 'lt'],
  ['&', 'mask'],
  ['bitwise_and', 'mask'],
  ['contains', 'contains'],
  ['~', 'matches'],
  ['matches', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict wildcard', 'strict wildcard']
] as const

type Operator = (typeof spellings)[number][1]

/** Whether an operator comes next, after any white space. */
export function isOperatorNext(cursor: Cursor): boolean {
  const { at } = cursor
  const found = takeOperator(cursor)
  cursor.at = at
  return found !== undefined
}

function takeOperator(cursor: Cursor) {
  skipSpace(cursor)
  const start = cursor.at
  const found = spellings.find(([spelling]) => take(cursor, spelling))
  return found && { spelling: found[0], operator: found[1], start, end: cursor.at }
}

const orderings = ['eq', 'ne', 'ge', 'le', 'gt', 'lt'] as const

const applicable: Record<Literal['type'], readonly Operator[]> = {
  Bytes: ['in', ...orderings, 'contains', 'matches', 'wildcard', 'strict wildcard'],
  Int: ['in', ...orderings, 'mask'],
  Ip: ['in', ...orderings]
}

/** Reads what is asked of a term: nothing more of a boolean, else an operator and a literal. */
export function readQuestion(cursor: Cursor, left: Term): Comparison {
  if (left.type === 'Bool') return { kind: 'truth', left }
  if (left.type === 'Array<Bool>' && !isMapped(left)) return { kind: 'truth', left }
  const found = takeOperator(cursor)
  if (!found) refuse(cursor, 'expected a comparison operator')
  const { spelling, operator, start, end } = found
  const type = left.type as Literal['type']
  if (!applicable[type]?.includes(operator)) {
    refuse(cursor, `operator ${spelling} does not apply to type ${type}`, { start, end })
  }
  skipSpace(cursor)
  switch (operator) {
    case 'in':
      return isNext(cursor, '$')
        ? { kind: 'listed', left, list: readListName(cursor) }
        : { kind: 'member', left, members: readMembers(cursor, type) }
    case 'mask':
      return { kind: 'mask', left, mask: readInteger(cursor) }
    case 'contains':
      return { kind: 'contains', left, part: readBytes(cursor) }
    case 'matches':
      return { kind: 'matches', left, pattern: readRegex(cursor) }
    case 'wildcard':
    case 'strict wildcard':
      return {
        kind: 'wildcard',
        left,
        pattern: readWildcard(cursor),
        strict: operator !== 'wildcard'
      }
    default:
      return { kind: 'ordering', left, operator, right: readLiteral(cursor, type) }
  }
}

function readListName(cursor: Cursor): string {
  expect(cursor, '$')
  const name = nextMatch(cursor, /[a-z0-9_.]+/y) ?? ''
  if (!/^[^.](?:.*[^.])?$/.test(name)) refuse(cursor, 'invalid list name')
  take(cursor, name)
  return name
}

function readRegex(cursor: Cursor): string {
  const start = cursor.at
  const pattern = readPattern(cursor)
  const fault = regexFault(pattern)
  if (fault) refuse(cursor, `invalid regular expression: ${fault}`, { start, end: cursor.at })
  return pattern
}

function readWildcard(cursor: Cursor): string {
  const start = cursor.at
  const pattern = readString(cursor)
  const fault = wildcardFault(pattern)
  if (fault) refuse(cursor, `invalid wildcard: ${fault}`, { start, end: cursor.at })
  return pattern
}
