import { expect, test } from 'vitest'
import { odd, type Service } from './asked.ts'

const card = {
  type: 'object',
  required: ['number'],
  properties: { number: { type: 'string', pattern: '^[0-9]{12,19}$' } }
}
const debit = {
  type: 'object',
  required: ['iban'],
  properties: { iban: { type: 'string', minLength: 15, maxLength: 34 } }
}
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const document = (schema: object, schemas: object = {}) => {
  const body = { type: 'object', required: ['x'], properties: { x: schema } }
  const requestBody = { required: true, content: { 'application/json': { schema: body } } }
  const responses = { 200: { description: 'ok' } }
  const post = { operationId: 'a', requestBody, responses }
  return { openapi: '3.1.0', components: { schemas }, paths: { '/a': { post } } }
}

/** A service that takes what is right at `x`. */
const takes =
  (isRight: (x: any) => boolean): Service =>
  ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return [415]
    if (body === null || typeof body !== 'object' || body.x === undefined) return [422]
    return [isRight(body.x) ? 200 : 422]
  }

const isObject = (x: any) => x !== null && typeof x === 'object' && !Array.isArray(x)
const loose = { 'a.body.x.number.required': 'fail', 'a.body.x.number.type': 'fail' }
const isText = (x: any, least = 0, most = 99) =>
  typeof x === 'string' && x.length >= least && x.length <= most
const isCard = (x: any, most = 19) =>
  isObject(x) && typeof x.number === 'string' && new RegExp(`^[0-9]{12,${most}}$`).test(x.number)
const isDebit = (x: any) => isObject(x) && isText(x.iban, 15, 34)

test.each<[string, (x: any) => boolean, Record<string, string>]>([
  ['both', (x) => isCard(x) || isDebit(x), {}],
  ['a card alone', (x) => isCard(x), { 'a.body.x.choice': 'fail' }],
  ['any object', isObject, { 'a.body.x.number.pattern': 'fail', ...loose }],
  [
    'anything else too',
    (x) => !isObject(x) || isCard(x) || isDebit(x),
    { 'a.body.x.choice': 'fail' }
  ],
  ['a shorter card', (x) => isCard(x, 18) || isDebit(x), { 'a.body.x.number.pattern': 'fail' }],
  ['a longer card', (x) => isCard(x, 20) || isDebit(x), { 'a.body.x.number.pattern': 'fail' }],
  [
    'no number',
    (x) => isCard(x) || isDebit(x) || (isObject(x) && x.number === undefined),
    { 'a.body.x.number.required': 'fail' }
  ]
])('of a card or a debit that takes %s falls what should', async (_, isRight, expected) => {
  for (const choice of [{ oneOf: [card, debit] }, { anyOf: [card, debit] }]) {
    const found = await odd(document(choice), takes(isRight))
    expect(found).toEqual(expected)
  }
})

test('a value that another alternative takes is not asked about as refused', async () => {
  const short = { type: 'string', maxLength: 5 }
  const long = { type: 'string', minLength: 5, maxLength: 9 }
  const isLong = (x: any) => isText(x, 0, 9)
  expect(await odd(document({ anyOf: [short, long] }), takes(isLong))).toEqual({})
  // Of exactly one of them, a text of five letters is none.
  const isOne = (x: any) => isText(x, 0, 4) || isText(x, 6, 9)
  expect(await odd(document({ oneOf: [short, long] }), takes(isOne))).toEqual({})
})

test('numbers and words are alternatives, each asked about by itself', async () => {
  const choice = { oneOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { enum: ['all', 'none'] }] }
  const isRight = (most: number, words: string[]) => (x: any) =>
    (Number.isInteger(x) && x >= 1 && x <= most) || words.includes(x)
  const words = ['all', 'none']
  expect(await odd(document(choice), takes(isRight(9, words)))).toEqual({})
  for (const most of [8, 10]) {
    const found = await odd(document(choice), takes(isRight(most, words)))
    expect(found).toEqual({ 'a.body.x.maximum': 'fail' })
  }
  expect(await odd(document(choice), takes(isRight(9, [])))).toEqual({ 'a.body.x.choice': 'fail' })
})

const named = (kind: object) => ({
  schemas: {
    Cat: { type: 'object', required: ['kind', 'lives'], properties: { kind, lives: number } },
    Dog: {
      type: 'object',
      required: ['kind', 'name'],
      properties: { kind, name: { type: 'string' } }
    }
  }
})
const number = { type: 'integer', minimum: 1, maximum: 9 }
test('a discriminator tells what is held to which schema, and no other name is taken', async () => {
  const discriminator = { propertyName: 'kind', mapping: { cat: to('Cat').$ref, dog: 'Dog' } }
  const choice = { oneOf: [to('Cat'), to('Dog')], discriminator }
  const { schemas } = named({ type: 'string' })
  const isLives = (x: any, most: number) => Number.isInteger(x) && x >= 1 && x <= most
  const pets =
    (most: number, others: string[] = []) =>
    (x: any) => {
      if (!isObject(x)) return false
      if (x.kind === 'cat') return isLives(x.lives, most)
      if (x.kind === 'dog') return typeof x.name === 'string'
      return others.includes(x.kind)
    }
  const own = document(choice, schemas)
  expect(await odd(own, takes(pets(9)))).toEqual({})
  expect(await odd(own, takes(pets(10)))).toEqual({ 'a.body.x.lives.maximum': 'fail' })
  expect(await odd(own, takes(pets(8)))).toEqual({ 'a.body.x.lives.maximum': 'fail' })
  const loose = await odd(own, takes(pets(9, ['plimsoll-none'])))
  expect(loose).toEqual({ 'a.body.x.choice': 'fail' })
})

test('what is common to all alternatives is asked about, and a list of either', async () => {
  const common = {
    type: 'object',
    required: ['n'],
    properties: { n: number },
    oneOf: [card, debit]
  }
  const isN = (x: any, most = 9) => Number.isInteger(x?.n) && x.n >= 1 && x.n <= most
  const both = (x: any) => (isCard(x) || isDebit(x)) && isN(x)
  expect(await odd(document(common), takes(both))).toEqual({})
  const loose = (x: any) => (isCard(x) || isDebit(x)) && isN(x, 10)
  expect(await odd(document(common), takes(loose))).toEqual({ 'a.body.x.n.maximum': 'fail' })
  const list = { type: 'array', maxItems: 3, items: { oneOf: [card, debit] } }
  const lists = (most: number) => (x: any) =>
    Array.isArray(x) && x.length <= 3 && x.every((one) => isCard(one, most) || isDebit(one))
  expect(await odd(document(list), takes(lists(19)))).toEqual({})
  const found = await odd(document(list), takes(lists(18)))
  expect(found).toEqual({ 'a.body.x.items.number.pattern': 'fail' })
})

test('a choice among itself ends', async () => {
  const all = Array.from({ length: 10 }, () => to('T'))
  const T = { oneOf: [{ type: 'integer' }, { type: 'object', properties: { t: to('T') } }, ...all] }
  const isT = (x: any): boolean =>
    Number.isInteger(x) || (isObject(x) && (x.t === undefined || isT(x.t)))
  expect(await odd(document(to('T'), { T }), takes(isT))).toEqual({})
}, 20_000)
