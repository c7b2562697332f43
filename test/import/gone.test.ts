import { expect, test } from 'vitest'
import { odd, type Service, verdicts } from './asked.ts'

const document = (schema: object) => {
  const id = { name: 'id', in: 'path', required: true, schema }
  const get = { operationId: 'a', parameters: [id], responses: { 200: { description: 'it' } } }
  return { openapi: '3.1.0', paths: { '/things/{id}': { get } } }
}
const number = document({ type: 'integer', minimum: 1, example: 17 })
const name = document({
  type: 'string',
  format: 'uuid',
  example: `${'0'.repeat(8)}-0000-4000-8000-${'7'.repeat(12)}`
})

/** Serves what is there, and answers all else by a status. */
const knows =
  (there: RegExp, none: (id: string) => number): Service =>
  ({ path }) => {
    const id = path.slice('/things/'.length)
    return [there.test(id) ? 200 : none(id)]
  }

test('404 of what is too small is no evidence that it is refused', async () => {
  const found = await odd(
    number,
    knows(/^17$/, () => 404)
  )
  expect(found).toEqual({ 'a.path.id.minimum': 'observed', 'a.path.id.type': 'observed' })
})

test('nor is that of what is of no format', async () => {
  const found = await odd(
    name,
    knows(/7$/, () => 410)
  )
  expect(found).toEqual({ 'a.path.id.format': 'observed' })
})

test('a refusal is evidence, and so is what is served', async () => {
  const refuses = knows(/^17$/, (id) => (Number(id) >= 1 ? 404 : 422))
  expect(await verdicts(number, refuses)).toMatchObject({ 'a.path.id.minimum': 'pass' })
  const serves = knows(/^(0|17)$/, () => 404)
  expect(await verdicts(number, serves)).toMatchObject({ 'a.path.id.minimum': 'fail' })
})
