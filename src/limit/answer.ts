import { type Exchange, exchange, type Reply } from '../client/reply.ts'

/**
 * What a target said to one value.
 *
 * `accepted` and `rejected` decide; `unclear` says nothing about the limit. A rejection that is not
 * `proper` turned the value away in a way the document rules out: another status, a success that
 * did only half the work, a closed connection.
 */
export type Answer = {
  kind: 'accepted' | 'rejected' | 'unclear'
  proper: boolean
  because: string
  evidence: Exchange
}

/** The target took the value, and proved it. */
export function accepted(reply: Reply, because = reply.because): Answer {
  return { kind: 'accepted', proper: true, because, evidence: exchange(reply) }
}

/** The target turned the value away as it should. */
export function rejected(reply: Reply, because = reply.because): Answer {
  return { kind: 'rejected', proper: true, because, evidence: exchange(reply) }
}

/** The target did not take the value, but not in the way the document asks for. */
export function improper(reply: Reply, because = reply.because): Answer {
  return { kind: 'rejected', proper: false, because, evidence: exchange(reply) }
}

/** The answer says nothing about the limit: there is none, or it is not one to this question. */
export function unclear(reply: Reply, because = reply.because): Answer {
  return { kind: 'unclear', proper: true, because, evidence: exchange(reply) }
}
