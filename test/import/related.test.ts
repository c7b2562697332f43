import { expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

type Fields = Record<string, any>

const documentOf = (properties: Fields, required: string[]) => {
  const schema = { type: 'object', properties, required }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.0.3', paths: { '/a': { post } } }
}

/** A service that takes bodies of whole numbers in their ranges, of which something holds. */
const takes =
  (ranges: Record<string, [number, number]>, holds: (body: Fields) => boolean): Service =>
  ({ body, headers }): Answered => {
    if (headers['content-type'] !== 'application/json') return [415]
    if (body === null || typeof body !== 'object' || Array.isArray(body)) return [422]
    const isRight = ([name, [least, most]]: [string, [number, number]]) =>
      body[name] === undefined ||
      (Number.isInteger(body[name]) && body[name] >= least && body[name] <= most)
    return [Object.entries(ranges).every(isRight) && holds(body) ? 200 : 422]
  }

const amount = (example: number) => ({ type: 'integer', minimum: 0, maximum: 100, example })
const prices = documentOf({ least: amount(10), most: amount(20) }, ['least', 'most'])
const goes = ({ least, most }: Fields) => least <= most && most !== undefined
const whole: [number, number] = [0, 100]

test('a number that may be no more than another one is asked with it', async () => {
  expect(await odd(prices, takes({ least: whole, most: whole }, goes))).toEqual({})
})

const falling = 'a.body.least.maximum'

test('who draws the line of one of them elsewhere falls', async () => {
  const own = takes({ least: [0, 99], most: whole }, goes)
  expect(await odd(prices, own)).toEqual({ [falling]: 'fail' })
})

test('where no other number goes with the largest, that is not taken', async () => {
  const own = takes({ least: whole, most: [0, 99] }, goes)
  expect(await odd(prices, own)).toEqual({ [falling]: 'fail', 'a.body.most.maximum': 'fail' })
})

test('numbers that do not go without each other are asked together', async () => {
  const both = documentOf({ lat: amount(50), lon: amount(8) }, [])
  const isThere = (value: unknown) => value !== undefined
  const together = takes(
    { lat: whole, lon: whole },
    ({ lat, lon }) => isThere(lat) === isThere(lon)
  )
  const found = await odd(both, together)
  expect(found).not.toHaveProperty(['a.body.lat.maximum'])
  expect(found).not.toHaveProperty(['a.body.lat.minimum'])
})
