import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '../client/reply.ts'

/** Longest that one request waits for others to be over. */
const longestWaitMs = 30_000

/** The answer to what may come too often by a rate, asked again after a window each time. */
export async function unhurried(
  send: () => Promise<Reply>,
  rate?: { seconds: number }
): Promise<Reply> {
  let reply = await send()
  for (let waitedMs = 0; reply.status === 429 && rate !== undefined; ) {
    const ms = rate.seconds * 1_000
    waitedMs += ms
    if (waitedMs > longestWaitMs) break
    await pause(ms)
    reply = await send()
  }
  return reply
}
