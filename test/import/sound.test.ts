import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestPlan } from '../../src/import/clauses.ts'
import { sentAt } from '../../src/import/how-asked.ts'
import { operationsOf } from '../../src/import/operations.ts'
import type { RequestClause } from '../../src/import/request-plan.ts'
import { parseSource } from '../../src/import/source.ts'
import type { RequestParts } from '../../src/scenario/place.ts'
import { changed } from '../../src/scenario/request-parts.ts'

type Fields = Record<string, any>

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const number = (min: number, max: number) => fc.integer({ min, max })
/** Without what is undefined. */
const said = (schema: Fields): Fields => JSON.parse(JSON.stringify(schema))

const patterns = [
  ...['^[a-z]{3,8}$', '^[A-Z]{2}-?\\d{2,4}$', '[a-f0-9]+', '^(a|bb|ccc){1,3}$', '^[^/]{2,6}$'],
  ...['^\\w+@\\w+$', '^(?=.*\\d)[a-z\\d]{4,9}$', '^#?[0-9a-f]{6}$', '^x*y?$', '^[ -~]{2,5}$'],
  ...['^(?:\\+|-)?\\d+(\\.\\d{1,2})?$', '[.]$', '^[a-z]+(-[a-z]+)*$', '^\\S+ \\S+$']
]
const formats = ['date', 'date-time', 'uuid', 'email', 'uri', 'ipv4', 'unheard-of']
const text = fc.oneof(
  fc.record({ minLength: maybe(number(0, 4)), maxLength: maybe(number(4, 20)) }),
  fc.record({ pattern: fc.constantFrom(...patterns) }),
  fc.record({ format: fc.constantFrom(...formats) })
)
const amount = fc.record({
  type: fc.constantFrom('integer', 'number'),
  minimum: maybe(number(-5, 5)),
  maximum: maybe(number(11, 20)),
  multipleOf: maybe(fc.constantFrom(1, 2, 5))
})
const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'cc', 'Dd', 1, 2, true), { minLength: 1 })

/** Schemas of all sorts, each of which takes something. */
const { schema } = fc.letrec<Record<'schema' | 'object', Fields>>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom('p', 'q', 'r'), tie('schema')),
      isRequired: fc.boolean(),
      maxProperties: maybe(number(3, 6))
    })
    .map(({ isRequired, ...rest }) => ({
      ...{ type: 'object', ...rest },
      ...(isRequired && { required: Object.keys(rest.properties) })
    })),
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    text.map((one) => ({ type: 'string', ...one })),
    amount,
    words.map((values) => ({ enum: values })),
    fc.constant({ type: 'boolean' }),
    tie('object'),
    tie('object').map((one) => ({ ...one, additionalProperties: false })),
    fc.record({
      ...{ type: fc.constant('array'), items: tie('schema'), uniqueItems: maybe(fc.boolean()) },
      ...{ minItems: maybe(number(0, 2)), maxItems: maybe(number(2, 6)) }
    }),
    fc.tuple(tie('object'), text).map(([one, z]) => ({
      allOf: [one, { properties: { z: { type: 'string', ...z } }, minProperties: 0 }]
    })),
    fc.array(tie('schema'), { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('object'), text, amount).map(([one, words, more]) => ({
      oneOf: [one, { type: 'string', ...words }, more]
    }))
  )
}))

/** Values that are said to be taken at the place of a clause, and values that are not. */
function sidesOf({ asked }: RequestClause): { taken: unknown[]; refused: unknown[] } {
  if (asked.form === 'left') return { taken: [], refused: [] }
  if (asked.form === 'sides') {
    const { accepted, refused, ends } = asked
    return { taken: [...accepted, ...(ends ? [ends.like, ...ends.taken] : [])], refused }
  }
  const { smallest, max, resolution = 1, value } = asked
  const [taken, refused] = [[smallest, max], [max + resolution]].map((all) =>
    all.map((n) => sentAt(value, n))
  )
  return { taken: taken!, refused: refused! }
}

/** What of all that is asked about a value another judge of JSON Schema sees otherwise. */
function wrongOf(x: Fields): unknown[] {
  const body = { type: 'object', required: ['x'], properties: { x } }
  const content = { 'application/json': { schema: body } }
  const post = { operationId: 'a', requestBody: { required: true, content }, responses: {} }
  const document = { openapi: '3.1.0', paths: { '/a': { post } } }
  const source = parseSource(JSON.stringify(document), 'a.json')
  const plan = requestPlan(source, operationsOf(source).operations[0]!)
  if (Object.keys(plan.missing).length > 0) return []
  const judge = new Validator(body as Schema, '2020-12')
  const whole = { path: {}, query: {}, header: {}, cookie: {}, ...plan.valid } as RequestParts
  const isTaken = (sent: unknown) => sent !== undefined && judge.validate(sent).valid
  // A choice of exactly one may have nothing that is of one alone.
  if (!isTaken(whole.body)) return JSON.stringify(x).includes('oneOf') ? [] : [whole.body]
  return plan.clauses.flatMap((clause) => {
    // Whether a format is heeded is for each to say.
    if (clause.at === 'content-type' || clause.clause.derived) return []
    const sent = (value: unknown) =>
      changed(structuredClone(whole), { [clause.at]: value, ...clause.beside }, plan.optional).body
    const { taken, refused } = sidesOf(clause)
    const odd = [
      ...taken.map(sent).filter((one) => !isTaken(one)),
      ...refused.map(sent).filter(isTaken)
    ]
    return odd.map((one) => ({ id: clause.clause.id, sent: one }))
  })
}

test('what is asked of any schema is taken and refused by another judge as by this one', () => {
  const property = fc.property(schema, (one) => {
    expect(wrongOf(said(one))).toEqual([])
  })
  fc.assert(property, { seed: 20, numRuns: 80 })
}, 60_000)
