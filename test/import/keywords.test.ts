import { expect, test } from 'vitest'
import { askedOf, type Fields, field, files, ids, paths, posted } from './documents.ts'

test.each([
  [{ type: 'string', minLength: 3, maxLength: 120 }, 'max-length', 4],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'max-length', 3],
  [{ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 9 }, 'max-items', 3],
  [{ type: 'integer', minimum: 2, maximum: 9 }, 'maximum', 3],
  [{ type: 'integer', multipleOf: 5, minimum: 10, maximum: 50 }, 'maximum', 15]
])(
  'what %j takes at most is asked within it, not at its other end',
  (schema, keyword, smallest) => {
    const { files } = field(schema)
    expect(files[`limits/a/body-x-${keyword}.ts`]).toContain(`smallest: ${smallest},`)
  }
)

test('what a pattern counts is asked about at its number', () => {
  const { files } = field({ type: 'string', pattern: '^\\+[0-9]{7,15}$' })
  const values = files['limits/a/values.ts']!
  const lengths = [...values.matchAll(/'(\+\d+)'/g)].map(([, text]) => text!.length)
  expect(lengths).toEqual(expect.arrayContaining([7, 17]))
})

test('a body of plain text is asked about as a text', () => {
  const schema = { type: 'string', minLength: 2, maxLength: 5_000 }
  const requestBody = { required: true, content: { 'text/plain': { schema } } }
  const { files } = paths({ '/a': { put: { operationId: 'a', requestBody, responses: {} } } })
  expect(files['limits/a/body-max-length.ts']).toContain('max: 5000')
  const sides = "at: 'body', refused: ['x'], ends: { like: 'xxxxx', taken: ['xx'] }"
  expect(files['limits/a/values.ts']).toContain(sides)
})

test('as few properties as there must be are some that it knows', () => {
  const text = { type: 'string' }
  const closed = { additionalProperties: false, properties: { b: text, c: text } }
  const values = (schema: Fields) =>
    field({ type: 'object', minProperties: 2, ...schema }).files['limits/a/values.ts']
  const least = /min-properties': \{\s+at: 'body.x',\s+accepted: \[(.*)\],\s+refused: \[(.*)\]/
  const [, accepted, refused] = least.exec(values(closed)!)!
  expect([accepted, refused]).toEqual(["{ b: 'xxxxx', c: 'xxxxx' }", "{ b: 'xxxxx' }"])
  expect(values({ ...closed, properties: { b: text } })).not.toContain('min-properties')
})

test('two lists of values allow what both have', () => {
  const x = { allOf: [{ type: 'string', enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }
  expect(field(x).files['limits/a/values.ts']).toContain("accepted: ['b'], refused: ['none")
})

test('no text is called valid that is of a format which is not known', () => {
  const values = (schema: Fields) => field(schema).files['limits/a/values.ts']
  expect(values({ type: 'string', format: 'phone' })).toContain("{ at: 'body.x', refused: [{}] }")
  expect(values({ type: 'string', format: 'phone', example: '+1 2' })).toContain(
    "accepted: ['+1 2']"
  )
  expect(values({ type: 'string', format: 'int64' })).toContain("accepted: ['1']")
  const bytes = field({ type: 'string', format: 'byte', maxLength: 10 })
  expect(ids(bytes)).not.toContain('a.body.x.max-length')
})

test('items that are counted are short enough, however many', () => {
  const items = { type: 'string', maxLength: 2 }
  const list = { type: 'array', uniqueItems: true, maxItems: 50, items }
  expect(ids(field(list))).not.toContain('a.body.x.max-items')
})

test('beside a bound a number is asked about that is near to it', () => {
  const bounds = { minimum: -2.5, exclusiveMaximum: 1 }
  const asked = askedOf({ type: 'number', ...bounds })
  expect(asked.minimum).toMatchObject({ refused: [-2.51], ends: { like: -1.5, taken: [-2.5] } })
  expect(asked['exclusive-maximum']).toMatchObject({ refused: [1], ends: { taken: [0.99] } })
  const whole = askedOf({ type: 'integer', exclusiveMaximum: 9 })
  expect(whole['exclusive-maximum']).toMatchObject({ refused: [9], ends: { taken: [8] } })
})

test('what two parts say of one field holds together', () => {
  const part = (x: Fields) => ({ properties: { x } })
  const found = posted({
    allOf: [
      part({ type: 'number', pattern: '^a', multipleOf: 4, minimum: 12 }),
      part({ type: 'integer', pattern: 'b$', multipleOf: 6, maximum: 60 })
    ]
  })
  expect(ids(found)).toEqual(expect.arrayContaining(['a.body.x.minimum', 'a.body.x.maximum']))
  const values = files(found)['limits/a/values.ts']!
  expect(values).toMatch(/'a.body.x.multiple-of': \{\s+at: 'body.x',\s+accepted: \[24\],/)
})

test.each([
  ['^[0-9]{13}$', ['[0-9]{13}$', '^[0-9]{13}', '^[0-9]{12,13}$', '^[0-9]{13,14}$', '^[0-9X]{13}$']],
  ['^[a-z]+$', ['[a-z]+$', '^[a-z]+', '^[a-zA-Z]+$', '^[a-z0-9]+$', '^[a-z_]+$', '^[a-z-]+$']],
  [
    '^[A-Z]{2}-[0-4]{3}$',
    ['^[A-Za-z]{2}-[0-4]{3}$', '^[A-Z]{2}-[0-5]{3}$', '^[A-Z]{1,2}-[0-4]{3}$']
  ],
  ['^/[a-z]+$', ['^/?[a-z]+$']],
  ['^[0-9]{12,19}$', ['^[0-9A-F]{12,19}$']],
  [
    '^"[0-9a-f]{4,8}"$',
    ['^"[0-9a-f]{3,8}"$', '^"[0-9a-f]{4,9}"$', '^(W/)?"[0-9a-f]{4,8}"$', '^"[0-9a-f]*"$']
  ],
  ['^[a-z]{2}(-[A-Z]{2})?$', ['^[a-z]{2}(-[A-Z]{2})*$', '^[a-z]{2}(-[A-Z]{1,2})?$']]
])('a text that hardly does not match %s is refused', (pattern, looser) => {
  const { refused } = askedOf({ type: 'string', pattern }).pattern as { refused: string[] }
  expect(refused.filter((text) => new RegExp(pattern, 'u').test(text))).toEqual([])
  const isSeen = (other: string) => refused.some((text) => new RegExp(other, 'u').test(text))
  expect(looser.filter((other) => !isSeen(other))).toEqual([])
})

test('a value of a list in other letters is refused, and null is taken where it may be', () => {
  const { enum: listed } = askedOf({ type: 'string', enum: ['hard', 'Soft'] })
  expect(listed).toMatchObject({ refused: expect.arrayContaining(['HARD', 'none-of-these']) })
  const nullable = { type: 'string', maxLength: 9, nullable: true }
  expect(askedOf(nullable, '3.0.3').type).toMatchObject({ accepted: ['xxxxx', null] })
  expect(askedOf(nullable).type).toMatchObject({ accepted: ['xxxxx'] })
  const either = { type: ['integer', 'null'] }
  expect(askedOf(either).type).toMatchObject({ accepted: [1, null] })
  const choice = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
  expect(askedOf(choice).type).toMatchObject({ accepted: [1, null] })
  const named = { type: ['string', 'null'], enum: ['a', null] }
  expect(askedOf(named).enum).toMatchObject({ accepted: ['a', null] })
})

test.each([
  [{ type: 'integer', multipleOf: 10, minimum: 10, maximum: 3600 }, [1, 2, 5, 20]],
  [{ type: 'integer', multipleOf: 6, minimum: 6, maximum: 144 }, [1, 2, 3, 12]],
  [{ type: 'number', multipleOf: 0.5, minimum: 0, maximum: 9 }, [0.25, 0.1, 1]],
  [{ type: 'integer', multipleOf: 7 }, [1, 14]]
])('whoever has another step than %j is asked what tells it', (schema, others) => {
  const asked = askedOf(schema)['multiple-of'] as any
  const isOf = (step: number) => (value: number) =>
    Math.abs(value / step - Math.round(value / step)) < 1e-9
  expect(asked.refused.filter(isOf(schema.multipleOf))).toEqual([])
  const taken = [...asked.accepted, ...asked.ends.taken]
  expect(taken.every(isOf(schema.multipleOf))).toBe(true)
  const isTold = (step: number) => asked.refused.some(isOf(step)) || !taken.every(isOf(step))
  expect(others.filter((step) => !isTold(step))).toEqual([])
})

test('what may be of several types is asked about by what is of none', () => {
  const several = { type: ['string', 'number', 'boolean', 'null'] }
  expect(askedOf(several).type).toMatchObject({
    ...{ accepted: [expect.anything(), null], refused: [{}, ['x']] }
  })
  expect(askedOf({ type: ['object', 'string'] }).type).toMatchObject({ refused: [['x']] })
})

test('a large number is asked in a quick run, and a long text is not', () => {
  const { files: found } = field({ type: 'integer', maximum: 4_000_000_000 })
  expect(found['limits/a/body-x-maximum.ts']).not.toContain('tier:')
  const { files: other } = field({ type: 'string', maxLength: 2_000_000 })
  expect(other['limits/a/body-x-max-length.ts']).toContain("tier: 'full'")
})
