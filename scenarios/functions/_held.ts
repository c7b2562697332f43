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

/** Bodies that nobody reads to their end; each came about in another way. */
export function bodies(server: CallableServer): Held {
  const channel = server.channel('unread')
  const ways: [wanted: Parameters<Channel['url']>[0], how?: Record<string, unknown>][] = [
    [{}],
    [{}],
    [{ framing: 'chunked', status: 404 }],
    [{}, { method: 'POST', send: 9 }],
    [{ hops: 1 }]
  ]
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
