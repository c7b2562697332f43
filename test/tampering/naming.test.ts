import { expect, test } from 'vitest'
import { byRarity, namedAt } from '../../src/tampering/naming.ts'
import type { Witnessed } from '../../src/tampering/witnessed.ts'

test.each([
  ['page_urls', 'script.page-urls-not-in-list', 6],
  ['errors', 'envelope.errors-empty-on-success', 8],
  ['success', 'envelope.errors-empty-on-success', 21],
  ['id', 'order.name', -1],
  ['_', 'order.name', -1]
])('%s is named in %s at %i', (name, clause, place) => {
  expect(namedAt(name, clause)).toBe(place)
})

test('what the fewest kinds of answers have comes first, and of these the outer fields', () => {
  const seen = (path: string, json: unknown): Witnessed => ({
    endpoint: 'api',
    asked: {
      ...{ method: 'GET', path, headers: {}, headBytes: 0 },
      ...{ bodyBytes: 0, body: '', sha256: '' }
    },
    answer: { status: 200, headers: {}, json }
  })
  const all = [
    seen('/orders', { errors: [], result: { name: 'Zoë' } }),
    seen('/orders', { errors: [], result: { name: 'Zoë' } }),
    seen('/status', { errors: [], result: { on: true }, since: 1 })
  ]
  const fields = [['errors'], ['result', 'on'], ['since'], ['result', 'name'], ['result']]
  expect(fields.sort(byRarity(all)).map((path) => path.join('.'))).toEqual([
    ...['since', 'result.on', 'result.name'],
    ...['errors', 'result']
  ])
})
