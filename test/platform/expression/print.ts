import {
  type AddressRange,
  formatAddress,
  widthOf
} from '../../../src/platform/expression/address.ts'
import { bytes, isText, text } from '../../../src/platform/expression/bytes.ts'
import type {
  Comparison,
  Expression,
  Index,
  Input,
  Literal,
  Member,
  Term
} from '../../../src/platform/expression/syntax.ts'

/**
 * Writes an expression out in one way of the many there are: operators in words, strings in quotes,
 * regular expressions raw, numbers decimal. Reading it again gives the same expression.
 */
export function print(expression: Expression): string {
  switch (expression.kind) {
    case 'constant':
      return String(expression.value)
    case 'group':
      return `(${print(expression.inner)})`
    case 'not':
      return `not ${print(expression.inner)}`
    case 'quantifier':
      return `${expression.quantifier}(${print(expression.inner)})`
    case 'combination':
      return expression.operands.map(print).join(` ${expression.operator} `)
    default:
      return printComparison(expression)
  }
}

function printComparison(comparison: Comparison): string {
  const left = printTerm(comparison.left)
  switch (comparison.kind) {
    case 'truth':
      return left
    case 'ordering':
      return `${left} ${comparison.operator} ${printLiteral(comparison.right)}`
    case 'member':
      return `${left} in {${comparison.members.map(printMember).join(' ')}}`
    case 'listed':
      return `${left} in $${comparison.list}`
    case 'mask':
      return `${left} bitwise_and ${comparison.mask}`
    case 'contains':
      return `${left} contains ${printBytes(comparison.part)}`
    case 'matches':
      return `${left} matches ${printPattern(comparison.pattern)}`
    case 'wildcard': {
      const operator = comparison.strict ? 'strict wildcard' : 'wildcard'
      return `${left} ${operator} ${printBytes(comparison.pattern)}`
    }
  }
}

function printTerm({ root, indexes }: Term): string {
  const written =
    root.kind === 'field' ? root.name : `${root.name}(${root.inputs.map(printInput).join(', ')})`
  return written + indexes.map(printIndex).join('')
}

function printInput(input: Input): string {
  if (input.kind === 'term') return printTerm(input)
  return input.kind === 'literal' ? printLiteral(input) : print(input)
}

function printIndex(index: Index): string {
  if (index.kind === 'each') return '[*]'
  return index.kind === 'key' ? `[${printBytes(index.key)}]` : `[${index.position}]`
}

function printLiteral({ type, value }: Literal): string {
  if (type === 'Bytes') return printBytes(value)
  return type === 'Int' ? String(value) : formatAddress(value)
}

function printMember(member: Member): string {
  if (member.type === 'Bytes') return printBytes(member.value)
  if (member.type === 'Ip') return formatRange(member)
  const { first, last } = member
  return first === last ? String(first) : `${first}..${last}`
}

/** Bytes in quotes: as the text they spell, but for control characters; else byte by byte. */
function printBytes(value: string): string {
  const written = isText(value)
    ? text(value).replace(/["\\]|\p{Cc}/gu, (character) => escaped(character, bytes(character)))
    : value.replace(/["\\]|[^ -~]/g, (byte) => escaped(byte, byte))
  return `"${written}"`
}

function escaped(character: string, encoded: string): string {
  if (/["\\]/.test(character)) return `\\${character}`
  return encoded.replace(/./gs, (byte) => {
    const digits = byte.charCodeAt(0).toString(16)
    return `\\x${digits.padStart(2, '0')}`
  })
}

/** A pattern as a raw string with as many hashes as it takes; in quotes when those are too many. */
function printPattern(pattern: string): string {
  const runs = pattern.match(/"#*/g) ?? []
  const hashes = '#'.repeat(Math.max(0, ...runs.map((run) => run.length)))
  if (hashes.length <= 255) return `r${hashes}"${pattern}"${hashes}`
  let inClass = false
  const quoted = pattern.replace(/\\.|["[\]]/gs, (part) => {
    if (part === '[') inClass = true
    if (part === ']') inClass = false
    return part === '"' && !inClass ? '\\"' : part
  })
  return `"${quoted}"`
}

/** A range as text, the shortest way: one address, a network in CIDR notation, or `first..last`. */
export function formatRange({ first, last }: AddressRange): string {
  if (first.bits === last.bits) return formatAddress(first)
  const span = last.bits - first.bits + 1n
  const host = span.toString(2).length - 1
  if (span === 1n << BigInt(host) && first.bits % span === 0n) {
    return `${formatAddress(first)}/${widthOf(first.family) - host}`
  }
  return `${formatAddress(first)}..${formatAddress(last)}`
}
