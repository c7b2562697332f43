import type { Look } from 'plimsoll'
import { fetching } from './_command.ts'
import { muteness, told } from './_mute.ts'
import { type CallableServer, graceMs, type Probe } from './_stage.ts'

const bytes = 2_000

/** By the status with which a POST is sent on: how often its body comes (RFC 9110, 15.4). */
const bodies = [
  [303, 1],
  [307, 2],
  [308, 2]
] as const

/** Whether a fetch that is sent on to another place comes there, with its body where it has to. */
export async function sentOn(server: CallableServer, probe: Probe): Promise<Look[]> {
  const looks: Look[] = []
  for (const [via, times] of bodies) {
    // Each time that it is asked a channel of its own: a late one is asked again.
    let asked = 0
    const channel = () => server.channel(`sent-on-${via}-${asked}`)
    const said = await told(probe, () => {
      asked++
      return fetching(channel().url({ hops: 1, via }), { method: 'POST', send: bytes })
    })
    const isDone = ({ received }: { received: number }) => received >= times * bytes
    if (said.outcome?.ok) await channel().until(isDone, graceMs)
    const { requests, received } = channel().seen()
    const { ok, error } = said.outcome ?? {}
    const holds = ok?.status === 200 && requests === 2 && received === times * bytes
    const saw = `${requests} requests and ${received} bytes came; ${error ?? `HTTP ${ok?.status}`}`
    const what = `POST of ${bytes} bytes, sent on with ${via}`
    if (said.outcome) looks.push({ asked: what, holds, saw, reply: said.reply })
    else looks.push(...[muteness(what, said)].filter((look) => look !== undefined))
  }
  return looks
}
