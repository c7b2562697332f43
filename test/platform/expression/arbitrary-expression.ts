import fc from 'fast-check'
import { bytes } from '../../../src/platform/expression/bytes.ts'
import type { Type } from '../../../src/platform/expression/scheme.ts'
import type {
  Comparison,
  Expression,
  Index,
  Input,
  Literal,
  Member,
  Term
} from '../../../src/platform/expression/syntax.ts'
import { anyAddress, anyBytes, anyInteger, anyText, type scheme } from './arbitrary-value.ts'

const key = anyText.map((written): Index => ({ kind: 'key', key: bytes(written) }))
const position = fc
  .integer({ min: 0, max: 2 ** 32 - 1 })
  .map((place): Index => ({ kind: 'position', position: place }))
const each = fc.constant<Index>({ kind: 'each' })

function field(type: Type, name: keyof typeof scheme, ...steps: fc.Arbitrary<Index>[]) {
  return fc
    .tuple(...steps)
    .map((indexes): Term => ({ kind: 'term', root: { kind: 'field', name }, indexes, type }))
}

function call(type: Type, name: string, ...inputs: fc.Arbitrary<Input>[]) {
  return fc.tuple(...inputs).map(
    (given): Term => ({
      kind: 'term',
      root: { kind: 'call', name, inputs: given },
      indexes: [],
      type
    })
  )
}

/** The elements of what a term has: it with `[*]` behind it. */
function elementsOf(term: fc.Arbitrary<Term>, type: Type): fc.Arbitrary<Term> {
  return term.map((whole) => ({ ...whole, indexes: [...whole.indexes, { kind: 'each' }], type }))
}

const aString = anyBytes.map((value): Literal => ({ kind: 'literal', type: 'Bytes', value }))
const aNumber = anyInteger.map((value): Literal => ({ kind: 'literal', type: 'Int', value }))
const anAddress = anyAddress.map((value): Literal => ({ kind: 'literal', type: 'Ip', value }))

function bits(max: bigint): fc.Arbitrary<Literal> {
  return fc.bigInt({ min: 1n, max }).map((value) => ({ kind: 'literal', type: 'Int', value }))
}

const single = {
  Bytes: fc.oneof(
    field('Bytes', 'text'),
    field('Bytes', 'texts', position),
    field('Bytes', 'headers', key, position),
    call('Bytes', 'lower', fc.oneof(field('Bytes', 'text'), aString)),
    call('Bytes', 'concat', field('Bytes', 'text'), aString, field('Bytes', 'texts', position)),
    call('Bytes', 'substring', field('Bytes', 'text'), aNumber),
    call('Bytes', 'to_string', fc.oneof(field('Int', 'count'), anAddress, aNumber))
  ),
  Int: fc.oneof(
    field('Int', 'count'),
    field('Int', 'counts', position),
    field('Int', 'scores', key),
    call('Int', 'len', fc.oneof(field('Array<Bytes>', 'headers', key), field('Bytes', 'text')))
  ),
  Ip: fc.oneof(
    field('Ip', 'address'),
    field('Ip', 'addresses', position),
    call('Ip', 'cidr', field('Ip', 'address'), bits(32n), bits(128n))
  ),
  Bool: fc.oneof(
    field('Bool', 'flag'),
    field('Bool', 'flags', position),
    call('Bool', 'ends_with', field('Bytes', 'text'), aString)
  )
}

const someTexts = fc.oneof(
  field('Bytes', 'texts', each),
  field('Bytes', 'headers', key, each),
  field('Bytes', 'headers', each, position),
  field('Bytes', 'parts', each, each)
)

const mapped = {
  Bytes: fc.oneof(someTexts, elementsOf(call('Array<Bytes>', 'upper', someTexts), 'Bytes')),
  Int: fc.oneof(
    field('Int', 'counts', each),
    field('Int', 'scores', each),
    elementsOf(call('Array<Int>', 'len', someTexts), 'Int')
  ),
  Ip: field('Ip', 'addresses', each),
  Bool: fc.oneof(
    field('Bool', 'flags', each),
    field('Array<Bool>', 'flags'),
    call('Array<Bool>', 'ends_with', someTexts, aString)
  )
}

/** Regular expressions: some shapes of their syntax, and any text escaped. */
export const anyPattern = fc.oneof(
  fc.constantFrom(
    '^/api/(v[0-9]+)/.*$',
    '(?i)union\\s+select',
    '["#]+##',
    'a"##b',
    '"',
    '\\"',
    '[\\]"]{2,3}?',
    '(?u)\\p{Greek}',
    ''
  ),
  anyText.map((written) => written.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
)

const anyWildcard = fc
  .array(
    fc.oneof(
      fc.constant('*'),
      anyBytes.map((value) => value.replace(/[\\*]/g, '\\$&'))
    )
  )
  .map((parts) =>
    parts.join('').replace(/(?<!\\)(\\\\)*\*+/g, (stars) => stars.replace(/\*+/, '*'))
  )

const members: Record<'Bytes' | 'Int' | 'Ip', fc.Arbitrary<Member>> = {
  Bytes: anyBytes.map((value) => ({ type: 'Bytes', value })),
  Int: fc.oneof(
    anyInteger.map((value): Member => ({ type: 'Int', first: value, last: value })),
    fc
      .tuple(anyInteger, anyInteger)
      .filter(([first, last]) => first <= last)
      .map(([first, last]): Member => ({ type: 'Int', first, last }))
  ),
  Ip: fc.oneof(
    anyAddress.map((value): Member => ({ type: 'Ip', first: value, last: value })),
    fc
      .tuple(anyAddress, anyAddress)
      .filter(([first, last]) => first.family === last.family && first.bits <= last.bits)
      .map(([first, last]): Member => ({ type: 'Ip', first, last })),
    fc.tuple(anyAddress, fc.nat(128)).map(([{ family, bits }, prefix]): Member => {
      const width = family === 4 ? 32 : 128
      const host = BigInt(width - Math.min(prefix, width))
      const first = (bits >> host) << host
      return {
        type: 'Ip',
        first: { family, bits: first },
        last: { family, bits: first + (1n << host) - 1n }
      }
    })
  )
}

const ordering = fc.constantFrom<'eq' | 'ne' | 'ge' | 'le' | 'gt' | 'lt'>(
  'eq',
  'ne',
  'ge',
  'le',
  'gt',
  'lt'
)
const list = fc.constantFrom('office', 'cf.open_proxies', 'a_1')

/** Comparisons of one value, or of many. */
function comparisons(terms: typeof single | typeof mapped): fc.Arbitrary<Comparison> {
  const literals = { Bytes: aString, Int: aNumber, Ip: anAddress }
  const typed = (['Bytes', 'Int', 'Ip'] as const).map((type) =>
    fc.oneof(
      fc
        .record({ left: terms[type], operator: ordering, right: literals[type] })
        .map((parts): Comparison => ({ kind: 'ordering', ...parts })),
      fc
        .record({ left: terms[type], members: fc.array(members[type], { maxLength: 4 }) })
        .map((parts): Comparison => ({ kind: 'member', ...parts })),
      fc
        .record({ left: terms[type], list })
        .map((parts): Comparison => ({ kind: 'listed', ...parts }))
    )
  )
  return fc.oneof(
    ...typed,
    terms.Bool.map((left): Comparison => ({ kind: 'truth', left })),
    fc
      .record({ left: terms.Int, mask: anyInteger })
      .map((parts): Comparison => ({ kind: 'mask', ...parts })),
    fc
      .record({ left: terms.Bytes, part: anyBytes })
      .map((parts): Comparison => ({ kind: 'contains', ...parts })),
    fc
      .record({ left: terms.Bytes, pattern: anyPattern })
      .map((parts): Comparison => ({ kind: 'matches', ...parts })),
    fc
      .record({ left: terms.Bytes, pattern: anyWildcard, strict: fc.boolean() })
      .map((parts): Comparison => ({ kind: 'wildcard', ...parts }))
  )
}

type Kinds = { one: Expression; many: Expression }

/** Any expression of the scheme, as a tree that reading could have made. */
export const anyExpression: fc.Arbitrary<Expression> = fc.letrec<Kinds>((tie) => ({
  one: expressions(tie('one'), [
    comparisons(single),
    fc.boolean().map((value): Expression => ({ kind: 'constant', value })),
    fc
      .record({ quantifier: fc.constantFrom<'any' | 'all'>('any', 'all'), inner: tie('many') })
      .filter(({ inner }) => inner.kind !== 'combination')
      .map((parts): Expression => ({ kind: 'quantifier', ...parts }))
  ]),
  many: expressions(tie('many'), [comparisons(mapped)])
})).one

/** Leaves, and what can be made of them and of smaller expressions. */
function expressions(
  smaller: fc.Arbitrary<Expression>,
  leaves: fc.Arbitrary<Expression>[]
): fc.Arbitrary<Expression> {
  const unary = smaller.map(bracketed)
  return fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(...leaves),
    smaller.map((inner): Expression => ({ kind: 'group', inner })),
    unary.map((inner): Expression => ({ kind: 'not', inner })),
    fc
      .record({
        operator: fc.constantFrom<'or' | 'xor' | 'and'>('or', 'xor', 'and'),
        operands: fc.array(smaller, { minLength: 2, maxLength: 4 })
      })
      .map(
        ({ operator, operands }): Expression => ({
          kind: 'combination',
          operator,
          operands: operands.map((operand) =>
            bindsWeaker(operand, operator) ? bracketed(operand) : operand
          )
        })
      )
  )
}

const strengths = ['or', 'xor', 'and']

function bindsWeaker(operand: Expression, operator: string): boolean {
  return (
    operand.kind === 'combination' &&
    strengths.indexOf(operand.operator) <= strengths.indexOf(operator)
  )
}

function bracketed(expression: Expression): Expression {
  return expression.kind === 'combination' ? { kind: 'group', inner: expression } : expression
}
