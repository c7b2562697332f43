import { parseAddress } from './address.ts'
import { isOperatorNext, readQuestion } from './comparison.ts'
import { type Cursor, nested, skipSpace } from './cursor.ts'
import type { Parameter, RuleFunction } from './functions/function.ts'
import { functions } from './functions/functions.ts'
import { readLiteral } from './literal.ts'
import { isUnaryNext, readCombination } from './parse.ts'
import { expect, isNext, nextMatch, refuse } from './scanner.ts'
import { isArray, type Type } from './scheme.ts'
import { type Call, type Input, isMapped, typeOf } from './syntax.ts'
import { readTerm } from './term.ts'

type Called = { readonly name: string; readonly called: RuleFunction }

/** Reads what a function is called with, and checks it against what the function takes. */
export function readCall(cursor: Cursor, { name, called }: Called): { root: Call; type: Type } {
  skipSpace(cursor)
  const inputs = nested(cursor, () => readInputs(cursor, { name, called }))
  const type =
    typeof called.returns === 'string' ? called.returns : called.returns(inputs.map(typeOf))
  const isEach = inputs[0]?.kind === 'term' && isMapped(inputs[0])
  return { root: { kind: 'call', name, inputs }, type: isEach ? `Array<${type}>` : type }
}

function readInputs(cursor: Cursor, { name, called }: Called): Input[] {
  const inputs: Input[] = []
  expect(cursor, '(')
  skipSpace(cursor)
  while (cursor.at < cursor.source.length && !isNext(cursor, ')')) {
    if (inputs.length > 0) expect(cursor, ',')
    skipSpace(cursor)
    const start = cursor.at
    const input = readInput(cursor)
    const fault = faultOf(input, { called, before: inputs })
    if (fault) {
      refuse(cursor, `argument ${inputs.length + 1} of ${name} ${fault}`, { start, end: cursor.at })
    }
    inputs.push(input)
    skipSpace(cursor)
  }
  const required = called.parameters.length - (called.optional ?? 0)
  if (inputs.length < required) {
    refuse(cursor, `${name} needs at least ${required} argument${required === 1 ? '' : 's'}`)
  }
  expect(cursor, ')')
  return inputs
}

/** Reads one argument. A combination of comparisons is one only when it is put in brackets. */
function readInput(cursor: Cursor): Input {
  if (isUnaryNext(cursor)) return readCombination(cursor)
  const type = literalTypeNext(cursor)
  if (type) return readLiteral(cursor, type)
  const term = readTerm(cursor)
  return isOperatorNext(cursor) ? readQuestion(cursor, term) : term
}

/** Nothing says of what type a literal argument has to be, so it is told by how it looks. */
function literalTypeNext(cursor: Cursor): 'Bytes' | 'Int' | 'Ip' | undefined {
  if (nextMatch(cursor, /r?#*"/y) !== undefined) return 'Bytes'
  const name = nextMatch(cursor, /[\w.]+/y) ?? ''
  if (Object.hasOwn(cursor.scheme, name) || functions.has(name)) return undefined
  if (parseAddress(nextMatch(cursor, /[0-9a-f:.]+/iy) ?? '')) return 'Ip'
  if (nextMatch(cursor, /(?:0x[0-9a-f]+|-?\d+)(?![\w.:-])/iy) !== undefined) return 'Int'
  if (nextMatch(cursor, /[0-9a-f]{2}[:.-][0-9a-f]{2}/iy) !== undefined) return 'Bytes'
  return undefined
}

/** What is wrong with an argument, given those before it; undefined when it will do. */
function faultOf(
  input: Input,
  { called, before }: { called: RuleFunction; before: readonly Input[] }
): string | undefined {
  const parameter = called.parameters[before.length] ?? called.rest
  if (!parameter) return 'is one too many'
  if (input.kind === 'term' && isMapped(input) && before.length > 0) {
    return 'cannot be mapped, only the first one can'
  }
  const type = typeOf(input)
  if (!parameter.types.some((accepted) => isOf(type, accepted))) {
    return `must be ${parameter.types.join(' or ')}, not ${type}`
  }
  const isLiteral = input.kind === 'literal'
  if (parameter.written === 'always' && !isLiteral) return 'must be a literal'
  if (parameter.written === 'never' && isLiteral) return 'must not be a literal'
  const fault = isLiteral ? parameter.fault?.(input) : undefined
  return fault ?? called.fault?.([...before.map(typeOf), type])
}

function isOf(type: Type, accepted: Parameter['types'][number]): boolean {
  return accepted === 'Array<_>' ? isArray(type) : type === accepted
}
