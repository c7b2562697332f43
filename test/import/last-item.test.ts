import { expect, test } from 'vitest'
import { odd, type Service } from './asked.ts'

const text = { type: 'string', pattern: '^[a-z]{2,5}$' }
const line = {
  ...{ type: 'object', required: ['sku'] },
  properties: { sku: text, count: { type: 'integer', minimum: 1, exclusiveMaximum: 10 } }
}

const documentOf = (items: object, more: object = {}) => {
  const schema = {
    ...{ type: 'object', required: ['x'] },
    properties: { x: { type: 'array', items, minItems: 1, ...more } }
  }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.1.0', paths: { '/a': { post } } }
}

/** A service that takes lists, some of whose items it looks at. */
const looks =
  (isItem: (item: any) => boolean, isLookedAt: (index: number) => boolean, most = 9): Service =>
  ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return [415]
    const list = body?.x
    if (!Array.isArray(list) || list.length < 1 || list.length > most) return [422]
    return [list.every((item, index) => !isLookedAt(index) || isItem(item)) ? 200 : 422]
  }

const isText = (item: unknown) => typeof item === 'string' && /^[a-z]{2,5}$/.test(item)
const isLine = (item: any) => {
  const { sku, count = 1 } = Object(item)
  return isText(sku) && Number.isInteger(count) && count >= 1 && count < 10
}

test.each([
  ['the first', (index: number) => index < 1],
  ['the first two', (index: number) => index < 2],
  ['all but the first', (index: number) => index > 0]
])('who looks at %s of the items falls', async (_, isLookedAt) => {
  const found = await odd(documentOf(text), looks(isText, isLookedAt))
  expect(found).toEqual({ 'a.body.x.items.pattern': 'fail', 'a.body.x.items.type': 'fail' })
  const lines = await odd(documentOf(line), looks(isLine, isLookedAt))
  expect(lines).toMatchObject({ 'a.body.x.items.sku.required': 'fail' })
  expect(lines).toMatchObject({ 'a.body.x.items.sku.pattern': 'fail' })
  expect(lines).toMatchObject({ 'a.body.x.items.count.minimum': 'fail' })
})

test('who looks at all of them passes, and who takes no such list', async () => {
  for (const most of [9, 2]) {
    expect(
      await odd(
        documentOf(text),
        looks(isText, () => true, most)
      )
    ).toEqual({})
    expect(
      await odd(
        documentOf(line),
        looks(isLine, () => true, most)
      )
    ).toEqual({})
  }
})

test('different items stay so', async () => {
  const unique = documentOf({ type: 'integer', minimum: 1, maximum: 50 }, { uniqueItems: true })
  const isNumber = (item: any) => Number.isInteger(item) && item >= 1 && item <= 50
  const differing =
    (isLookedAt: (index: number) => boolean): Service =>
    (asked) => {
      const list: unknown[] = Array.isArray(asked.body?.x) ? asked.body.x : []
      if (new Set(list).size < list.length) return [422]
      return looks(isNumber, isLookedAt)(asked)
    }
  expect(
    await odd(
      unique,
      differing(() => true)
    )
  ).toEqual({})
  const found = await odd(
    unique,
    differing((index) => index < 2)
  )
  expect(found).toMatchObject({ 'a.body.x.items.type': 'fail' })
})
