import type { Reply } from '../client/reply.ts'
import { isTurnedBack } from './redirects.ts'

/** Statuses by which a request is turned down for what is in it. */
const refusals: readonly number[] = [400, 406, 411, 413, 414, 415, 422, 431]

/** Whether a reply turns a request down for what is in it. */
export function isRefusal(reply: Reply): boolean {
  return (reply.kind === 'answered' && refusals.includes(reply.status)) || isTurnedBack(reply)
}
