import { describe, expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

const documentOf = (schema: object) => {
  const body = { type: 'object', required: ['x'], properties: { x: schema } }
  const requestBody = { required: true, content: { 'application/json': { schema: body } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.1.0', paths: { '/a': { post } } }
}

/** A service that takes texts of such lengths, of which something holds. */
const takes =
  (least: number, most: number, holds: (text: string) => boolean): Service =>
  ({ body, headers }): Answered => {
    if (headers['content-type'] !== 'application/json') return [415]
    const x: unknown = body?.x
    const isOne = typeof x === 'string' && x.length >= least && x.length <= most && holds(x)
    return [isOne ? 200 : 422]
  }

const isHost = (text: string) =>
  text.split('.').every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
const isJson = (text: string) => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** By what it is: the fewest and the most letters, an example, and what holds of all. */
const shaped: [string, [number, number], string, (text: string) => boolean][] = [
  ['the name of a host', [1, 253], 'www.example.org', isHost],
  ['a word of no three alike in a row', [1, 12], 'hello', (text) => !/(.)\1\1/.test(text)],
  ['a password', [8, 64], 'Passw0rd!x', (text) => /\d/.test(text) && /[A-Z]/.test(text)],
  ['a telephone number', [7, 16], '+4930123456', (text) => /^\+[1-9]\d+$/.test(text)],
  ['words', [10, 200], 'the quick brown fox', (text) => text.split(' ').length > 1],
  ['JSON', [2, 100], '{"a":1}', isJson],
  ['what has five parts', [9, 60], '0 0 * * *', (text) => text.split(' ').length === 5],
  ['a version', [5, 20], '1.2.3', (text) => /^\d+\.\d+\.\d+$/.test(text)],
  ['a colour', [3, 7], '#aabbcc', (text) => /^#[0-9a-f]{6}$/.test(text)]
]

describe.each(shaped)('%s', (_, [minLength, maxLength], example, holds) => {
  const document = documentOf({ type: 'string', minLength, maxLength, example })

  test('is asked about by longer texts of its shape', async () => {
    const found = await odd(document, takes(minLength, maxLength, holds))
    expect(Object.values(found)).not.toContain('fail')
    expect(found).not.toHaveProperty(['a.body.x.max-length'])
  })

  test('falls where one letter more is taken', async () => {
    const found = await odd(document, takes(minLength, maxLength + 1, holds))
    const isMore = example.length < maxLength
    // Of six digits nobody makes seven.
    if (isMore) expect(found).toMatchObject({ 'a.body.x.max-length': 'fail' })
    expect(Object.keys(found).filter((one) => found[one] === 'fail').length).toBe(isMore ? 1 : 0)
  })
})

test('the name of a host without an example is asked about by labels', async () => {
  const document = documentOf({ type: 'string', minLength: 1, maxLength: 253 })
  expect(await odd(document, takes(1, 253, isHost))).toEqual({})
  const fallen = { 'a.body.x.max-length': 'fail' }
  expect(await odd(document, takes(1, 252, isHost))).toEqual(fallen)
})

test.each(['hostname', 'idn-hostname', 'email'])(
  'a %s has labels of 63 letters',
  async (format) => {
    const document = documentOf({ type: 'string', format, maxLength: 200 })
    const isOne = (text: string) => isHost(text.split('@').at(-1)!)
    const found = await odd(document, takes(1, 200, isOne))
    expect(Object.values(found)).not.toContain('fail')
    expect(await odd(document, takes(1, 201, isOne))).toMatchObject({
      'a.body.x.max-length': 'fail'
    })
  }
)

test('what samples.yaml says is made longer, where the document has no example', async () => {
  const document = documentOf({ type: 'string', maxLength: 30 })
  const samples = 'operations: { a: { set: { body.x: "eu:1:2" } } }'
  const isOne = (text: string) => /^[a-z]+:\d+:\d+$/.test(text)
  const found = await odd(document, takes(1, 31, isOne), { samples })
  expect(found).toMatchObject({ 'a.body.x.max-length': 'fail' })
  const honest = await odd(document, takes(1, 30, isOne), { samples })
  expect(Object.values(honest)).not.toContain('fail')
})

test('where no longer text is taken, nothing is said of the limit', async () => {
  const document = documentOf({ type: 'string', maxLength: 30, example: 'Europe/Berlin' })
  const known = (text: string) => ['Europe/Berlin', 'Asia/Tokyo'].includes(text)
  const found = await odd(document, takes(1, 30, known))
  expect(found).toMatchObject({ 'a.body.x.max-length': 'left' })
  expect(Object.values(found)).not.toContain('fail')
})
