import type { Channel, Client, Look } from 'plimsoll'
import { hasBytes } from '../_reply.ts'
import type { Command } from './_command.ts'
import { answered, muteness, type Told, told } from './_mute.ts'
import type { CallableServer, Probe } from './_stage.ts'

/** A channel of its own for each time that something is asked, and that of the last time. */
type Channels = { next(): Channel; last(): Channel }

/** Channels of a server, each named by its number. */
export function channelsOf(server: CallableServer): Channels {
  let count = 0
  const last = () => server.channel(`${count}`)
  return {
    last,
    next() {
      count++
      return last()
    }
  }
}

/** Asks a probe, and knows whether it was mute: nobody waits for another one that is. */
export function listeningTo(probe: Probe) {
  let isMute = false
  return {
    isMute: () => isMute,
    async told(command: () => Command): Promise<Told> {
      const said = await told(probe, command)
      isMute = said.isMute
      return said
    }
  }
}

/** A fetch, how many bytes it brings, and what comes back. */
type Fetch = { asked: string; sent: number | undefined; status: number; bytes: number }

/** Whether a fetch came to a server as it was sent, and what that answered came back. */
export function cameTo(channel: Channel, said: Told, wanted: Fetch): Look | undefined {
  const { outcome: got, reply } = said
  const { asked, sent, status, bytes } = wanted
  if (got === undefined) return muteness(asked, said)
  const { received, requests } = channel.seen()
  const length = got.ok?.text && got.ok.headers['content-length']
  const isThere = requests === 1 && received === (sent ?? 0)
  const isBack = got.ok?.status === status && (bytes === 0 || Number(length) === bytes)
  const saw = got.error ?? `${received} bytes came, HTTP ${got.ok?.status} and ${length} back`
  return { asked, holds: isThere && isBack, saw, reply }
}

/** A request that a mirror passes on, and what is answered there. */
type Passing = {
  channels: Channels
  method: string
  sent: number | undefined
  status: number
  bytes: number
  framing: 'length' | 'chunked'
}

/** Has a mirror pass a request on, and its answer back, and sees whether all of both arrived. */
export async function passedOn(
  client: Client,
  { channels, method, sent, status, bytes, framing }: Passing
): Promise<Look> {
  const body = sent === undefined ? undefined : 'x'.repeat(sent)
  const reply = await answered(() => {
    const headers = { 'x-pass-to': channels.next().url({ status, bytes, framing }) }
    return client.ask(method, '/', { headers, body })
  })
  const { received, requests } = channels.last().seen()
  const isThere = requests === 1 && received === (sent ?? 0)
  const holds = isThere && reply.status === status && hasBytes(reply, bytes)
  const asked = `${method} with ${sent ?? 'no'} bytes, passed on for ${bytes} bytes (${framing})`
  return { asked, holds, saw: `${received} bytes came, ${reply.because}`, reply }
}
