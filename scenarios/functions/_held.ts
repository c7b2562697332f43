import type { Channel } from 'plimsoll'
import { type Command, fetching, outcomesOf, series } from './_command.ts'
import { type CallableServer, type Probe, patienceMs } from './_stage.ts'

/** What the five go by. */
export const names = ['a', 'b', 'c', 'd', 'e']

/** Five connections that a function opens, each by a command of its own. */
export type Held = {
  opened: Command[]
  areOpen: () => Promise<boolean>
  /** Of which of them a part is read before they are given back. */
  read: string[]
  /** Has their other ends let go. */
  end: () => void
}

type Way = [wanted: Parameters<Channel['url']>[0], how?: Record<string, unknown>]

/** How five answers came about, of which nobody reads the body; of `b` and `c` a part is read. */
const answers: Way[] = [
  [{}],
  [{}],
  [{ framing: 'chunked', status: 404 }],
  [{}, { method: 'POST', send: 9 }],
  [{ hops: 1 }]
]

/** The same of requests that had a body themselves, made as it was sent or there at once. */
const exchanges: Way[] = [
  [{}, { method: 'POST', send: { bytes: 9 } }],
  [{}, { method: 'PUT', send: { bytes: 70_000 } }],
  [{ framing: 'chunked' }, { method: 'PATCH', send: 70_000 }],
  [
    { framing: 'chunked', status: 404 },
    { method: 'PUT', send: { bytes: 9 } }
  ],
  // A body that is made as it is sent cannot be sent again to where one is led.
  [{ hops: 1 }, { method: 'POST', send: 70_000 }]
]

/** Bodies of answers that nobody reads to their end; each came about in another way. */
export const ofAnswers = (server: CallableServer) => bodies(server.channel('unread'), answers)

/** The same of answers to requests with bodies. */
export const ofExchanges = (server: CallableServer) => bodies(server.channel('sent'), exchanges)

function bodies(channel: Channel, ways: Way[]): Held {
  return {
    opened: ways.map(([wanted, how], at) => {
      const url = channel.url({ hold: 'body', bytes: 10, ...wanted })
      return fetching(url, { ...how, body: 'leave', keep: names[at] })
    }),
    areOpen: () => channel.until((seen) => seen.open === names.length, patienceMs),
    read: ['b', 'c'],
    end: () => channel.release()
  }
}

/** Sockets through which nothing goes any more; undefined where none can be opened. */
export async function sockets(server: CallableServer, probe: Probe): Promise<Held | undefined> {
  const { address, until, release } = await server.sockets()
  const socket = (keep: string) => ({ do: 'socket', address, module: probe.socketModule, keep })
  const reply = await probe.ask(series(socket('a'), { do: 'cancel', name: 'a' }))
  if (outcomesOf(reply)[0]?.error !== undefined) return undefined
  return {
    opened: names.map(socket),
    areOpen: () => until((seen) => seen.open === names.length, patienceMs),
    read: [],
    end: () => release()
  }
}
