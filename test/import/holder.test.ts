import { describe, expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

type Fields = Record<string, any>

const contact = { type: 'string', minLength: 3, maxLength: 20 }
const alternatives = (kind: string, ...all: string[][]) => {
  const names = [...new Set(all.flat())]
  const properties = Object.fromEntries(names.map((name) => [name, contact]))
  return { type: 'object', properties, [kind]: all.map((required) => ({ required })) }
}

const documentOf = (schema: object) => {
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.0.3', paths: { '/a': { post } } }
}

/** A service that takes the fields that go together, each as long as it says. */
const takes =
  (goes: (names: string[]) => boolean, most: Fields = {}): Service =>
  ({ body, headers }): Answered => {
    if (headers['content-type'] !== 'application/json') return [415]
    if (body === null || typeof body !== 'object' || Array.isArray(body)) return [400]
    const isRight = ([name, one]: [string, any]) =>
      typeof one === 'string' && one.length >= 3 && one.length <= (most[name] ?? 20)
    const isTaken = Object.entries(body).every(isRight) && goes(Object.keys(body).toSorted())
    return [isTaken ? 200 : 400]
  }

const has = (names: string[], ...all: string[]) => all.every((name) => names.includes(name))
const one = (names: string[]) => names.length === 1

describe.each([
  ['exactly one of two', alternatives('oneOf', ['email'], ['phone']), one, 'phone'],
  ['exactly one of three', alternatives('oneOf', ['a'], ['b'], ['c']), one, 'c'],
  [
    'one pair',
    alternatives('oneOf', ['a', 'b'], ['c', 'd']),
    (names: string[]) => has(names, 'a', 'b') !== has(names, 'c', 'd'),
    'd'
  ],
  ['at least one', alternatives('anyOf', ['a'], ['b']), (names: string[]) => names.length > 0, 'b']
] as const)('%s', (_, schema, goes, last) => {
  test('who is as documented is accused of nothing', async () => {
    expect(await odd(documentOf(schema), takes(goes))).toEqual({})
  })

  test('the fields of each alternative are asked about', async () => {
    const found = await odd(documentOf(schema), takes(goes, { [last]: 19 }))
    expect(found).toEqual({ [`a.body.${last}.max-length`]: 'fail' })
  })

  test('who takes fields that do not go together falls', async () => {
    const found = await odd(
      documentOf(schema),
      takes(() => true)
    )
    expect(found).toEqual({ 'a.body.choice': 'fail' })
  })
})
