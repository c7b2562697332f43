import {
  type Answer,
  accepted,
  improper,
  isAnswered,
  isOk,
  type Reply,
  rejected,
  unclear
} from 'plimsoll'

/** Where every zone answers with a description of the request it got; see scenarios/README.md. */
export const echo = '/echo'

/**
 * Reads an answer about the size of a request. A success counts only when the echo proves that all
 * of it arrived, a refusal only when it is an answer: an HTTP status of 400 to 499.
 */
export function sized(reply: Reply, arrived: unknown, expected: unknown): Answer {
  if (reply.kind === 'closed') return improper(reply)
  if (!isAnswered(reply) || reply.status >= 500) return unclear(reply)
  if (!isOk(reply)) return rejected(reply)
  if (arrived === expected) return accepted(reply, `HTTP ${reply.status}, echoed in full`)
  return improper(reply, `HTTP ${reply.status}, but the echo shows ${arrived} of ${expected}`)
}
