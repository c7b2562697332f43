import type { Client, RawRequest } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'

/**
 * The answers to so many requests whose last bytes go out together, each on a connection of its
 * own, and in how many ms from then on all of them came.
 */
export async function together(
  count: number,
  { client, question, clock }: { client: Client; question: RawRequest; clock: Clock }
): Promise<{ replies: Reply[]; tookMs: number }> {
  const release = Promise.withResolvers<void>()
  const sent = Array.from({ length: count }, () => {
    const held = Promise.withResolvers<void>()
    const beforeLastByte = () => {
      held.resolve()
      return release.promise
    }
    return { held: held.promise, reply: client.send({ ...question, beforeLastByte }) }
  })
  await Promise.all(sent.map(({ held, reply }) => Promise.race([held, reply])))
  const began = clock.now()
  release.resolve()
  const replies = await Promise.all(sent.map(({ reply }) => reply))
  return { replies, tookMs: clock.now() - began }
}
