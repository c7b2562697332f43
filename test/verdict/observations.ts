import type { Exchange } from '../../src/client/reply.ts'
import type { Observation } from '../../src/verdict/verdict.ts'

/** An exchange that went well, but for what is given. */
export function exchanged(parts: Partial<Exchange> = {}): Exchange {
  return {
    kind: 'answered',
    status: 200,
    phase: 'end',
    sent: 0,
    because: 'HTTP 200',
    request: { method: 'GET', url: '/zones/0a1b/page_shield', bodyBytes: 0 },
    excerpt: '{"result":{"enabled":true},"success":true,"errors":[],"messages":[]}',
    ...parts
  }
}

/** An observation that rests on one answered exchange and judges nothing, but for what is given. */
export function seen(clause: string, parts: Partial<Observation> = {}): Observation {
  return { clause, answered: true, observed: 'HTTP 200', exchanges: [exchanged()], ...parts }
}
