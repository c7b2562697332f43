import { expect, test } from 'vitest'
import { renderHead } from '../../src/client/raw-request.ts'
import { countsOf } from '../../src/limit/count.ts'
import { dimensionsOf } from '../../src/limit/dimension.ts'
import { parseAddress } from '../../src/target/address.ts'

const address = parseAddress('http://127.0.0.1:80')

test('every part of a head is counted as it is sent', () => {
  const question = {
    method: 'PUT',
    path: '/a?b',
    headers: [['x-a', '12345678901234567890']] as [string, string][],
    body: { bytes: 7, framing: 'length' as const }
  }
  const lines = [
    'host: 127.0.0.1',
    'connection: close',
    'content-length: 7',
    `x-a: ${'1'.repeat(20)}`
  ]
  const bytes = lines.join('').length
  expect(renderHead(question, address, {}).toString().split('\r\n').slice(1, 5)).toHaveLength(4)
  expect(countsOf(question, address)).toEqual({
    'the body': 7,
    'the request target': 4,
    'the request line': 'PUT /a?b HTTP/1.1'.length,
    'the request line and its end': 'PUT /a?b HTTP/1.1\r\n'.length,
    'header fields': 4,
    "the longest header's value": 20,
    "the longest header's name and value": 23,
    'the longest header line': 25,
    'the longest header line and its end': 27,
    'all names and values of headers': bytes - 8,
    'all names and values, and 32 for each header': bytes - 8 + 4 * 32,
    'all header lines': bytes + 8,
    'the request target and all names and values of headers': 4 + bytes - 8,
    'the whole head': renderHead(question, address, {}).length,
    'the whole head but Connection, and 4 for each header':
      renderHead(question, address, {}).length - 'connection: close\r\n'.length + 3 * 4
  })
})

test.each([
  ['url', 'the request target', 5_000],
  ['body', 'the body', 5_000]
] as const)('a question about %s has the size that was asked for', (name, what, size) => {
  const { question, variants } = dimensionsOf({ method: 'GET', path: '/x', headers: [] })[name]
  for (const variant of variants)
    expect(countsOf(question(size, variant), address)[what]).toBe(size)
})

test('headers of a size have it, in however many fields', () => {
  const { headers } = dimensionsOf({ method: 'GET', path: '/x', headers: [] })
  const none = countsOf({ method: 'GET', path: '/x' }, address)
  const what = 'all names and values of headers'
  for (const size of [64, 399, 400, 401, 463, 464, 4_001, 10_000]) {
    for (const variant of headers.variants) {
      const counts = countsOf(headers.question(size, variant), address)
      expect(counts[what]! - none[what]!).toBe(size)
    }
  }
  const fields = (variant: 'in few fields' | 'in many fields') =>
    countsOf(headers.question(16_000, variant), address)['header fields']! - none['header fields']!
  expect([fields('in few fields'), fields('in many fields')]).toEqual([4, 40])
})
