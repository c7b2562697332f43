import { expect, test } from 'vitest'
import { isWord, namedAt, tellingFirst } from '../../src/tampering/naming.ts'
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

function seen(path: string, json: unknown): Witnessed {
  return {
    endpoint: 'api',
    asked: {
      ...{ method: 'GET', path, headers: {}, headBytes: 0 },
      ...{ bodyBytes: 0, body: '', sha256: '' }
    },
    answer: { status: 200, headers: {}, json }
  }
}

const inOrder = (fields: string[], all: Witnessed[]) =>
  tellingFirst(fields, { all, pathOf: (field) => field.split('.') })

test.each([
  ['page_urls', true],
  ['page', true],
  ['url', false],
  ['urls_not', true]
])('%s is a word of the clause: %s', (name, isOne) => {
  expect(isWord(name, 'script.page-urls-not-in-list')).toBe(isOne)
})

test('of each object in turn what the fewest kinds of answers have comes first', () => {
  const all = [
    seen('/orders', { errors: [], result: { name: 'Zoë' } }),
    seen('/orders', { errors: [], result: { name: 'Zoë' } }),
    seen('/status', { errors: [], result: { on: true }, since: 1 })
  ]
  const fields = ['errors', 'result.on', 'since', 'result.name', 'result']
  const expected = ['since', 'result.on', 'errors', 'result.name', 'result']
  expect(inOrder(fields, all)).toEqual(expected)
})

test('what varies comes before all that does not, and an id is the same as any other', () => {
  const order = (id: string, level: number) =>
    seen('/orders', { kind: 'order', result: { id, deep: { level } } })
  const all = [
    order('0123456789abcdef', 1),
    order('fedcba9876543210', 2),
    seen('/x', { kind: 'x' })
  ]
  const fields = ['kind', 'result.id', 'result.deep.level']
  expect(inOrder(fields, all)).toEqual(['result.deep.level', 'result.id', 'kind'])
})
