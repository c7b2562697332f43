import {
  type Answer,
  accepted,
  type Client,
  improper,
  isAnswered,
  isOk,
  type RawRequest,
  type Reply,
  rejected,
  unclear
} from 'plimsoll'
import { isDefect } from '../_reply.ts'

/** Where every zone answers with a description of the request it got; see scenarios/README.md. */
export const echo = '/echo'

/** Statuses about who asks and what for: with them nothing has been said of a size. */
const besideSize = [401, 403, 404, 405, 407]

/**
 * Sends a body; once more without the expectation of a 100 to whom can meet none, as a client
 * should (RFC 9110, 10.1.1): that says nothing of the body.
 */
export async function sendBody(client: Client, question: RawRequest): Promise<Reply> {
  const { body } = question
  const reply = await client.send(question)
  if (reply.status !== 417 || body?.framing !== 'expect') return reply
  return client.send({ ...question, body: { ...body, framing: 'length' } })
}

/**
 * Reads an answer about the size of a request. A success counts only when the echo proves that all
 * of it arrived, a refusal only when it is an answer: an HTTP status of 400 to 499
 * that can be about a size. Turned away improperly it is by who takes less than all of it, who has
 * a defect instead, each time and where other sizes are served, and, where the scenario expects
 * such a reply, who closes the connection.
 */
export function sized(reply: Reply, arrived: unknown, expected: unknown): Answer {
  if (reply.kind === 'closed' || isDefect(reply)) return improper(reply)
  if (!isAnswered(reply) || reply.status >= 500) return unclear(reply)
  if (besideSize.includes(reply.status)) return unclear(reply)
  if (!isOk(reply)) return rejected(reply)
  if (arrived === expected) return accepted(reply, `HTTP ${reply.status}, echoed in full`)
  return improper(reply, `HTTP ${reply.status}, but the echo shows ${arrived} of ${expected}`)
}
