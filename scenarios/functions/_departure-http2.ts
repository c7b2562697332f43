import type { Channel, Context, Look } from 'plimsoll'
import { http2To } from '../_http2.ts'
import { fetching } from './_command.ts'
import { type Probe, patienceMs } from './_stage.ts'

/**
 * Whether a request of a function is cancelled whose client closes the connection of HTTP/2 that it
 * asked by. Nothing where that is not spoken, or nothing was under way; that a stream is reset is
 * left out, as the document speaks of clients that disconnect.
 */
export async function leftOverHttp2(
  { edge }: Context,
  { probe, channel }: { probe: Probe; channel: Channel }
): Promise<Look[]> {
  const http2 = await http2To(edge.as(probe.host))
  if (!http2) return []
  const body = JSON.stringify(fetching(channel.url({ hold: 'head' })))
  const headers = { 'content-type': 'application/json' }
  const question = { method: 'POST', path: probe.path, headers, body, forMs: 2 * patienceMs }
  const asked = http2.ask(question)
  const hasBegun = await channel.until(({ requests }) => requests > 0, patienceMs)
  http2.close()
  await asked
  const holds = await channel.until(({ dropped }) => dropped > 0, hasBegun ? patienceMs : 0)
  channel.release()
  const reply = await probe.ask({ do: 'count' })
  if (!hasBegun) return []
  const saw = `it ${holds ? 'is cancelled' : 'goes on'} when the connection is closed`
  return [{ asked: 'a request under way, asked over HTTP/2', holds, saw, reply }]
}
