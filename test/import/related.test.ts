import { describe, expect, test } from 'vitest'
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

test('neither of two numbers that go together is accused for its type', async () => {
  const both = documentOf({ lat: { type: 'number' }, lon: amount(8) }, [])
  const together: Service = ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return [415]
    const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
    const isNumber = (value: unknown) => value === undefined || typeof value === 'number'
    const { lat, lon } = Object(body)
    const isIn = lon === undefined || (Number.isInteger(lon) && lon >= 0 && lon <= 100)
    const isRight = isNumber(lat) && isIn
    return [isObject && isRight && (lat === undefined) === (lon === undefined) ? 200 : 422]
  }
  expect(await odd(both, together)).toEqual({})
})

const parameter = (name: string, schema: object) => ({ name, in: 'query', schema })
const queryOf = (...parameters: object[]) => {
  const get = { operationId: 'a', parameters, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.0.3', paths: { '/a': { get } } }
}
const price = (usual: number) => ({ type: 'integer', minimum: 0, maximum: 1000, default: usual })
const page = parameter('page', { type: 'integer', minimum: 1, maximum: 50 })
const search = queryOf(page, parameter('minPrice', price(0)), parameter('maxPrice', price(500)))

/** A service that takes whole numbers in a query, each in its range, of which something holds. */
const asks =
  (ranges: Record<string, [number, number]>, holds: (query: Fields) => boolean): Service =>
  ({ query }) => {
    const given = Object.fromEntries([...query].map(([name, text]) => [name, Number(text)]))
    const isRight = ([name, value]: [string, number]) =>
      /^-?\d+$/.test(query.get(name)!) && value >= ranges[name]![0] && value <= ranges[name]![1]
    return [Object.entries(given).every(isRight) && holds(given) ? 200 : 400]
  }

const prices2 = { page: [1, 50], minPrice: [0, 1000], maxPrice: [0, 1000] } as any
const isRising = ({ minPrice = 0, maxPrice = 500 }: Fields) => minPrice <= maxPrice

test('a smallest and a largest number of a query are asked with each other', async () => {
  expect(await odd(search, asks(prices2, isRising))).toEqual({})
})

test('who draws the line of one of them elsewhere falls by that alone', async () => {
  const low = asks({ ...prices2, minPrice: [0, 999] }, isRising)
  expect(await odd(search, low)).toEqual({ 'a.query.min-price.maximum': 'fail' })
  const wide = asks({ ...prices2, maxPrice: [0, 1001] }, isRising)
  expect(await odd(search, wide)).toEqual({ 'a.query.max-price.maximum': 'fail' })
})

test('a latitude that is taken with a longitude alone is asked with one', async () => {
  const degrees = (most: number) => ({ type: 'integer', minimum: -most, maximum: most })
  const document = queryOf(parameter('lat', degrees(90)), parameter('lon', degrees(180)))
  const both = ({ lat, lon }: Fields) => (lat === undefined) === (lon === undefined)
  const ranges = (lon: number): any => ({ lat: [-90, 90], lon: [-lon, lon] })
  expect(await odd(document, asks(ranges(180), both))).toEqual({})
  const found = await odd(document, asks(ranges(179), both))
  expect(found).toEqual({ 'a.query.lon.maximum': 'fail', 'a.query.lon.minimum': 'fail' })
})

test('a day that is after another one is asked with one before it', async () => {
  const day = { type: 'string', format: 'date' }
  const since = parameter('since', { ...day, example: '2030-01-01' })
  const document = queryOf(since, parameter('until', { ...day, default: '2029-01-01' }))
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  const service: Service = ({ query }) => {
    const [since, until] = ['since', 'until'].map((name) => query.get(name) ?? undefined)
    if (![since, until].every((one) => one === undefined || isDay(one))) return [400]
    return [(since ?? '2000-01-01') < (until ?? '2029-01-01') ? 200 : 400]
  }
  expect(Object.values(await odd(document, service))).not.toContain('fail')
})

test('what has to be less than another one cannot be the largest, and is no fault', async () => {
  const document = documentOf({ price: amount(50), discount: amount(10) }, ['price', 'discount'])
  const less = takes({ price: whole, discount: whole }, ({ price, discount }) => discount < price)
  expect(Object.values(await odd(document, less))).not.toContain('fail')
})

describe('where there is less than may be asked for', () => {
  const document = documentOf({ quantity: { ...amount(2), minimum: 1 } }, ['quantity'])
  const stock = ({ quantity }: Fields) => quantity <= 5

  test('nobody is accused who refuses more in words of nothing', async () => {
    const found = await odd(document, takes({ quantity: [1, 100] }, stock))
    expect(found).toEqual({ 'a.body.quantity.maximum': 'left' })
  })

  const isThere = ({ quantity }: Fields) => quantity !== undefined

  test('nor who refuses it in other words', async () => {
    const own = takes({ quantity: [1, 100] }, isThere)
    const short: Service = (asked) => {
      const [status] = own(asked)
      const [error, isShort] = ['quantity must be <= 100', asked.body?.quantity > 5]
      if (status === 200 && isShort) return [422, { error: 'quantity: 5 are left' }]
      return [status, { error }]
    }
    expect(await odd(document, short)).toEqual({ 'a.body.quantity.maximum': 'left' })
  })

  test('who says that so many may not be asked for falls', async () => {
    const own = takes({ quantity: [1, 50] }, isThere)
    const drawn: Service = (asked) => [own(asked)[0], { error: 'quantity must be <= 50' }]
    expect(await odd(document, drawn)).toEqual({ 'a.body.quantity.maximum': 'fail' })
  })

  test('and who takes one less', async () => {
    const drawn = takes({ quantity: [1, 99] }, isThere)
    expect(await odd(document, drawn)).toEqual({ 'a.body.quantity.maximum': 'fail' })
  })
})

test('who takes a kind only with what is called so is asked so', async () => {
  const text = { type: 'string' }
  const kind = { type: 'string', enum: ['none', 'card', 'bank'] }
  const document = documentOf({ kind, card: text, bank: text, other: text }, ['kind'])
  const pays =
    (...kinds: string[]): Service =>
    ({ body, headers }) => {
      if (headers['content-type'] !== 'application/json') return [415]
      const isText = ['card', 'bank', 'other'].every((name) => {
        return body?.[name] === undefined || typeof body[name] === 'string'
      })
      const isThere = body?.kind === 'none' || typeof body?.[body?.kind] === 'string'
      return [kinds.includes(body?.kind) && isText && isThere ? 200 : 422]
    }
  expect(await odd(document, pays('none', 'card', 'bank'))).toEqual({})
  expect(await odd(document, pays('none', 'card'))).toEqual({ 'a.body.kind.enum': 'fail' })
})

const towns = ['BER', 'HAM', 'MUC']
const town = (example: string) => ({ type: 'string', enum: towns, example })

/** A service that moves things between different towns, of which it knows some. */
const moves =
  (from: string[], to: string[]): Service =>
  ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return [415]
    const isKnown = from.includes(body?.from) && to.includes(body?.to)
    return [isKnown && body.from !== body.to ? 200 : 422]
  }

test('one of a list that has to be another than one of the same list is asked so', async () => {
  const document = documentOf({ from: town('BER'), to: town('HAM') }, ['from', 'to'])
  expect(await odd(document, moves(towns, towns))).toEqual({})
  const short = moves(['BER', 'HAM'], towns)
  expect(await odd(document, short)).toEqual({ 'a.body.from.enum': 'fail' })
  const wide = moves(towns, [...towns, 'ber'])
  expect(await odd(document, wide)).toEqual({ 'a.body.to.enum': 'fail' })
})

test('numbers of a path are asked with each other, too', async () => {
  const number = (name: string, example: number) => ({
    ...{ name, in: 'path', required: true, example },
    schema: { type: 'integer', minimum: 1, maximum: 500 }
  })
  const parameters = [number('from', 20), number('to', 40)]
  const get = { operationId: 'a', parameters, responses: { 200: { description: 'ok' } } }
  const document = { openapi: '3.0.3', paths: { '/range/{from}-{to}.json': { get } } }
  const ranges =
    (most: number): Service =>
    ({ path }) => {
      const [, from, to] = /^\/range\/(\d+)-(\d+)\.json$/.exec(path) ?? []
      const isIn = [from, to].every((one) => Number(one) >= 1 && Number(one) <= most)
      return [isIn && Number(from) <= Number(to) ? 200 : 422]
    }
  expect(Object.values(await odd(document, ranges(500)))).not.toContain('fail')
  const found = await odd(document, ranges(499))
  expect(found).toMatchObject({ 'a.path.to.maximum': 'fail', 'a.path.from.maximum': 'fail' })
})
