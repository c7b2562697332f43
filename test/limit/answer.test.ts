import { expect, test } from 'vitest'
import type { Reply } from '../../src/client/reply.ts'
import { accepted, improper, rejected, unclear } from '../../src/limit/answer.ts'

const reply: Reply = {
  kind: 'answered',
  status: 413,
  headers: { 'content-type': 'text/plain' },
  body: 'too large',
  json: undefined,
  received: 9,
  sent: 65_536,
  phase: 'body',
  ms: 1.5,
  because: 'HTTP 413',
  request: { method: 'POST', url: 'http://127.0.0.1/', bodyBytes: 100_000 }
}

test.each([
  { answer: accepted, kind: 'accepted', proper: true },
  { answer: rejected, kind: 'rejected', proper: true },
  { answer: improper, kind: 'rejected', proper: false },
  { answer: unclear, kind: 'unclear', proper: true }
])('$answer.name keeps the evidence and the reason', ({ answer, kind, proper }) => {
  const { status, phase, sent, because, request } = reply
  const evidence = { kind: 'answered', status, phase, sent, because, request, excerpt: 'too large' }
  expect(answer(reply)).toEqual({ kind, proper, because: 'HTTP 413', evidence })
  expect(answer(reply, 'in other words')).toMatchObject({ because: 'in other words', evidence })
})
