import { describe, expect, test } from 'vitest'
import { innerText, textsAtEnds } from '../../src/import/pattern-ends.ts'
import { odd, type Service } from './asked.ts'

const textsOf = (pattern: string) =>
  textsAtEnds(pattern, (text) => text !== '' && new RegExp(pattern, 'u').test(text))

/** All that is asked as taken. */
const allOf = (pattern: string) => [innerText(pattern)!, ...textsOf(pattern)]

test.each([
  ['^[a-z]{3,8}$', ['^[a-z]{4,8}$', '^[a-z]{3,7}$', '^[b-z]{3,8}$', '^[a-y]{3,8}$']],
  ['^[a-z]{3,}$', ['^[a-z]{4,}$']],
  ['^[0-9]+$', ['^[0-9]{2,}$', '^[1-9]+$', '^[0-8]+$']],
  ['^x[a-f]*$', ['^x[a-f]+$', '^x$', '^x[a-e]*$']],
  ['^[A-Z]{2}-?[0-4]{3}$', ['^[A-Z]{2}-[0-4]{3}$', '^[A-Z]{2}[0-4]{3}$', '^[A-Z]{2}-?[1-4]{3}$']],
  ['^(cat|dog|bird)-\\d+$', ['^(cat|dog)-\\d+$', '^(dog|bird)-\\d+$', '^(cat|bird)-\\d+$']],
  ['^[\\w.-]{1,64}$', ['^[\\w.]{1,64}$', '^[\\w-]{1,64}$', '^[\\w.-]{2,64}$', '^[\\w.-]{1,63}$']],
  ['^\\+[1-9]\\d{6,14}$', ['^\\+[2-9]\\d{6,14}$', '^\\+[1-9]\\d{7,14}$', '^\\+[1-9]\\d{6,13}$']],
  ['^([a-z]{2}(,[a-z]{2}){0,3})$', ['^([a-z]{2}(,[a-z]{2}){0,2})$', '^([a-z]{2}(,[a-z]{2})+)$']],
  ['^[a-c\\-_]{2}$', ['^[a-c_]{2}$', '^[a-c-]{2}$']],
  ['^(?:[0-9]{3}-){2}[0-9]{4}$', ['^(?:[1-9]{3}-){2}[0-9]{4}$']],
  ['^(?=.*\\d)(?=.*[a-z]).{8,20}$', ['^(?=.*\\d)(?=.*[a-z]).{8,19}$', '^.{9,20}$']],
  ['^[^/]{1,5}$', ['^[^/]{2,5}$', '^[^/]{1,4}$']],
  ['^\\p{L}{2,5}$', ['^\\p{L}{3,5}$', '^\\p{L}{2,4}$']],
  ['^[а-я]{2,4}$', ['^[б-я]{2,4}$', '^[а-ю]{2,4}$']]
])('of %s texts are known that none narrower takes', (pattern, narrower) => {
  const texts = allOf(pattern)
  expect(texts.length).toBeLessThanOrEqual(13)
  expect(new RegExp(pattern, 'u').test(texts[0]!)).toBe(true)
  const takesAll = (other: string) => texts.every((text) => new RegExp(other, 'u').test(text))
  expect(narrower.filter(takesAll)).toEqual([])
})

test.each(['^[a-z]{3,8}$', '^[0-9A-F]{2,6}-[xy]$'])(
  'the text between is at no end: %s',
  (pattern) => {
    expect(textsOf(pattern)).not.toContain(innerText(pattern))
  }
)

test.each([
  '((a{1000}){1000}){1000}',
  '^(^){1000000000}$',
  '(((((^){9999}){9999}){9999}){9999})',
  '[',
  '(?i:a)',
  '\\',
  '^(a)\\1$',
  'a{99999999999}',
  `${'('.repeat(240)}a${')'.repeat(240)}`
])('what is hard to make ends, and is no text that does not match: %s', (pattern) => {
  const texts = textsAtEnds(pattern, () => true)
  expect(texts.every((text) => text.length <= 4_000)).toBe(true)
})

const document = (schema: object, place = 'body') => {
  const content = { 'application/json': { schema: { type: 'object', properties: { x: schema } } } }
  const own = place === 'body' ? { requestBody: { required: true, content } } : {}
  const isPath = place === 'path'
  const parameter = { name: 'x', in: place, schema, ...(isPath && { required: true }) }
  const parameters = place === 'body' ? [] : [parameter]
  const one = { operationId: 'a', parameters, ...own, responses: { 200: { description: 'ok' } } }
  const method = place === 'body' ? 'post' : 'get'
  return { openapi: '3.1.0', paths: { [isPath ? '/a/{x}' : '/a']: { [method]: one } } }
}

/** What a service finds at the place, which takes what an expression matches. */
const takes =
  (what: (x: string) => boolean, is = 200): Service =>
  (asked) => {
    const { body, query, path, headers, method } = asked
    if (method === 'POST' && (body === null || typeof body !== 'object')) return [400]
    if (method === 'POST' && headers['content-type'] !== 'application/json') return [415]
    const inPath = path.startsWith('/a/') ? path.slice(3) : undefined
    const x = body?.x ?? query.get('x') ?? headers.x ?? inPath
    if (x === undefined) return [is]
    return [typeof x === 'string' && what(x) ? is : 400]
  }

const code = { type: 'string', pattern: '^[a-z]{3,8}$' }
const patternOf = (place: string) => `a.${place}.x.pattern`

describe.each(['body', 'query', 'header', 'path'])('in a %s', (place) => {
  test.each([
    ['^[a-z]{3,8}$', {}],
    ['^[a-z]{4,7}$', { [patternOf(place)]: 'fail' }],
    ['^[a-z]{4,8}$', { [patternOf(place)]: 'fail' }],
    ['^[a-z]{3,7}$', { [patternOf(place)]: 'fail' }],
    ['^[b-y]{3,8}$', { [patternOf(place)]: 'fail' }]
  ])('of what takes %s falls what should', async (own, expected) => {
    const service = takes((x) => new RegExp(own).test(x))
    expect(await odd(document(code, place), service)).toEqual(expected)
  })
})

test('what else is said of a value holds for each text', async () => {
  const schema = { ...code, minLength: 4, maxLength: 6 }
  const honest = takes((x) => /^[a-z]{4,6}$/.test(x))
  expect(await odd(document(schema), honest)).toEqual({})
  const isbn = { type: 'string', pattern: '^[0-9-]{5,20}$', format: 'date', example: '2026-03-04' }
  expect(
    await odd(
      document(isbn),
      takes((x) => /^\d{4}-[01]\d-[0-3]\d$/.test(x))
    )
  ).toEqual({})
})

test.each([
  ['is a currency', { pattern: '^[A-Z]{3}$', example: 'EUR' }, (x: string) => x === 'EUR'],
  ['is a day', { pattern: '^\\d{4}-\\d{2}-\\d{2}$', example: '2026-03-04' }, isDay],
  [
    'is there',
    { pattern: '^cus_[a-z0-9]{4,8}$', example: 'cus_7abc' },
    (x: string) => x === 'cus_7abc'
  ]
])('who takes only what %s, which no document says, is not accused', async (_, schema, what) => {
  expect(await odd(document({ type: 'string', ...schema }), takes(what))).toEqual({})
})

test('a text that is there before is no evidence, and none that nobody has', async () => {
  const schema = { type: 'string', pattern: '^[a-z]{3,8}$' }
  const known = new Set<string>()
  const service = takes((x) => /^[a-z]{3,8}$/.test(x))
  const unique: Service = (asked) => {
    const [status] = service(asked)
    const x = asked.body?.x
    if (status !== 200 || x === undefined || x === 'mmmmm') return [status]
    if (known.has(x)) return [409]
    known.add(x)
    return [200]
  }
  for (let run = 0; run < 2; run++) expect(await odd(document(schema), unique)).toEqual({})
})

function isDay(x: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(x) && !Number.isNaN(Date.parse(x))
}
