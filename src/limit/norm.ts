import { isAnswered, type Reply } from '../client/reply.ts'
import { type Answer, accepted, improper, rejected, unclear } from './answer.ts'

/** What an endpoint answers to an ordinary request, against which all other answers are told. */
export type Norm = { status: number; slowestMs: number }

const looks = 3

/** Asks an ordinary request until it is clear what is usual; a reason in words when it is not. */
export async function findNorm(ask: () => Promise<Reply>): Promise<Norm | string> {
  const replies: Reply[] = []
  while (replies.length < looks) {
    const reply = await ask()
    if (!isAnswered(reply)) return reply.because
    replies.push(reply)
  }
  const [status, ...others] = new Set(replies.map((reply) => reply.status))
  if (others.length > 0) return `the same request is answered ${[status, ...others].join(' and ')}`
  return { status: status!, slowestMs: Math.max(...replies.map(({ ms }) => ms)) }
}

/**
 * What an answer says of a limit. Who answers as usual has accepted; another status from 400 on is
 * a refusal, and a connection that was closed an improper one. 429 and 503 speak of how much was
 * asked lately and not of what is asked now, unless they are what the caller asks about.
 */
export function against(
  reply: Reply,
  { status }: Norm,
  { crowding = [429, 503] }: { crowding?: readonly number[] } = {}
): Answer {
  if (reply.kind === 'closed') return improper(reply)
  if (!isAnswered(reply)) return unclear(reply)
  if (reply.status === status) return accepted(reply)
  if (reply.status < 400 || crowding.includes(reply.status)) return unclear(reply)
  return rejected(reply)
}
