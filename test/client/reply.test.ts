import { expect, test } from 'vitest'
import { exchange, isAnswered, isOk, type Reply } from '../../src/client/reply.ts'

const reply: Reply = {
  kind: 'answered',
  status: 200,
  headers: { server: 'x' },
  body: 'b'.repeat(3_000),
  json: undefined,
  received: 3_000,
  sent: 7,
  phase: 'end',
  ms: 2,
  because: 'HTTP 200',
  request: { method: 'POST', url: `http://127.0.0.1/${'p'.repeat(300)}`, bodyBytes: 7 }
}

test('evidence is short: the beginning of a long URL and of the body', () => {
  expect(exchange(reply)).toEqual({
    kind: 'answered',
    status: 200,
    phase: 'end',
    sent: 7,
    because: 'HTTP 200',
    request: {
      method: 'POST',
      url: `http://127.0.0.1/${'p'.repeat(183)}… (317)`,
      bodyBytes: 7
    },
    excerpt: 'b'.repeat(2_000)
  })
  const url = `http://127.0.0.1/${'p'.repeat(183)}`
  expect(exchange({ ...reply, request: { ...reply.request, url } }).request.url).toBe(url)
})

test.each([
  { kind: 'answered', status: 200, answered: true, ok: true },
  { kind: 'answered', status: 299, answered: true, ok: true },
  { kind: 'answered', status: 300, answered: true, ok: false },
  { kind: 'answered', status: 503, answered: true, ok: false },
  { kind: 'closed', status: 200, answered: false, ok: false },
  { kind: 'refused', status: 0, answered: false, ok: false }
] as const)('$kind $status', ({ kind, status, answered, ok }) => {
  expect(isAnswered({ ...reply, kind, status })).toBe(answered)
  expect(isOk({ ...reply, kind, status })).toBe(ok)
})
