import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** How many answers a server gives at once, and the milliseconds that each of them takes. */
type Pace = { atOnce: number; ms: number }

/**
 * What answers for a server, as slow as its pace says, by waiting: a load without a rate is as fast
 * as its target answers, and one that answers at once keeps the whole machine busy, which shows
 * nothing more. Who has hung up meanwhile is answered no more, and takes nobody's turn.
 */
export function paced({ atOnce, ms }: Pace): (reply: ServerResponse, answer: () => void) => void {
  const waiting: { reply: ServerResponse; answer: () => void }[] = []
  let idle = atOnce
  function serve(): void {
    if (idle === 0) return
    let next = waiting.shift()
    while (next?.reply.destroyed) next = waiting.shift()
    if (next === undefined) return
    const { answer } = next
    idle--
    setTimeout(() => {
      idle++
      answer()
      serve()
    }, ms)
  }
  return (reply, answer) => {
    waiting.push({ reply, answer })
    serve()
  }
}

/** Starts a server of this pace, which ends with the test. */
export async function startPaced(pace: Pace): Promise<{ url: string }> {
  const take = paced(pace)
  const server = createServer((_, reply) => take(reply, () => reply.end('ok')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
