import type { Address } from '../target/address.ts'
import type { Reply } from './reply.ts'

/** What came of a request that was not sent, since there is no leave to send any more. */
export function unsent(asked: { address: Address; method: string; path: string }): Reply {
  const { address, method, path } = asked
  return {
    ...{ kind: 'unsent', status: 0, headers: {}, body: '', json: undefined },
    ...{ received: 0, sent: 0, phase: 'connect', ms: 0 },
    because: `not sent: the time that is authorised for ${address.host} is up`,
    request: { method, url: `${address.origin}${address.prefix}${path}`, bodyBytes: 0 }
  }
}
