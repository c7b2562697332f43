import { expect, test } from 'vitest'
import { foundFiles } from '../../src/import/found.ts'

const asked = { url: 'http://127.0.0.1:1', method: 'GET', path: '/', headers: {}, usual: 200 }
const rate = { burst: 20, perSecond: 10, windowMs: 2_000.04, status: 429 }

test('a rate is written with its kind, how many at once, and how long all of them take', () => {
  const bucket = { ...rate, algorithm: 'token-bucket' as const }
  const files = foundFiles({ ...asked, lines: [], rate: bucket })
  expect(files['rate.ts']).toContain(
    "const limiter = { algorithm: 'token-bucket', burst: 20, windowMs: 2000 }"
  )
  expect(files['rate.ts']).toContain('{ accepted: 200, refused: 429 }')
  expect(JSON.parse(files['clauses.json']!).clauses).toEqual([
    {
      ...{ id: 'found.rate', kind: 'rule' },
      documented: 'token bucket: 20 requests at once, then 10 a second',
      notes: 'observed, not documented; one more: 429'
    }
  ])
  const window = { ...rate, algorithm: 'fixed-window' as const }
  const { documented } = JSON.parse(
    foundFiles({ ...asked, lines: [], rate: window })['clauses.json']!
  ).clauses[0]
  expect(documented).toBe('fixed window: 20 requests at once, all again after 2,000 ms')
})

test('a queue is two clauses: how many it takes, and how fast those that wait go on', () => {
  const queue = { burst: 4, queue: 12, perSecond: 19.98, status: 429 }
  const files = foundFiles({ ...asked, lines: [], queue })
  expect(files['queue.ts']).toContain(
    'const queue = { burst: 4, waiting: 12, perSecond: 19.98, restMs: 1461 }'
  )
  expect(files['queue.ts']).toContain('16 requests are taken at once, one more is refused, 12 wait')
  const { clauses } = JSON.parse(files['clauses.json']!)
  expect(clauses.map(({ id, documented }: Record<string, string>) => [id, documented])).toEqual([
    ['found.queue', '4 requests at once, and 12 more wait'],
    ['found.queue-pace', '20 a second of those that wait']
  ])
})

test('a connection that is closed is the refusal where it was', () => {
  const line = { limit: 'header' as const, unit: 'bytes', accepted: 9, usual: 200, status: null }
  const files = foundFiles({ ...asked, lines: [line] })
  expect(files['header.ts']).toContain("expectedReplies: ['closed']")
  expect(files['header.ts']).toContain("if (reply.kind === 'closed') return rejected(reply)")
})

test('a body says of what type it is, unless the probe was told another', () => {
  const line = { limit: 'body' as const, unit: 'bytes', accepted: 9, usual: 200, status: 413 }
  const own = foundFiles({ ...asked, lines: [line] })['body.ts']
  expect(own).toContain("[['content-type', 'application/octet-stream']]")
  expect(own).toContain('method: filled, headers, body:')
  const headers = { 'content-type': 'CONTENT_TYPE' }
  const told = foundFiles({ ...asked, headers, lines: [line] })['body.ts']
  expect(told).not.toContain('headers')
})

test('a time is a clause, and an end that an ordinary request meets is expected', () => {
  const ways = [{ variant: 'then silence', ms: 3_000, lateMs: 0 }]
  const times = [
    { limit: 'idle', ways, said: 'closed after 3.00 s, since the answer' },
    { limit: 'response-time', ways, said: '504, left open after 3.00 s', status: 504 },
    { limit: 'requests-per-connection', value: 100, said: 'closed after 100 requests' }
  ]
  const files = foundFiles({ ...asked, lines: [], times })
  expect(files['idle.ts']).toContain("ways: [{ variant: 'then silence', ms: 3000 }]")
  expect(files['idle.ts']).not.toContain('expectedReplies')
  expect(files['response-time.ts']).toContain('expectedReplies: [504]')
  expect(files['requests-per-connection.ts']).toContain('value: 100')
  const { clauses } = JSON.parse(files['clauses.json']!)
  expect(clauses.map(({ documented }: Record<string, string>) => documented)).toEqual(
    times.map(({ said }) => said)
  )
})
