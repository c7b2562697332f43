import type { Reply } from '../../src/client/reply.ts'

/** A reply with the given status, or what else is said of it. */
export function reply(status: number, more: Partial<Reply> = {}): Reply {
  return {
    kind: 'answered',
    status,
    headers: {},
    body: '',
    json: undefined,
    received: 0,
    sent: 0,
    phase: 'end',
    ms: 1,
    because: `HTTP ${status}`,
    request: { method: 'GET', url: 'http://127.0.0.1/', bodyBytes: 0 },
    ...more
  }
}
