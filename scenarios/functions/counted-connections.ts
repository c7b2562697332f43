import { type Channel, type Context, check, type Judge, type Reply } from 'plimsoll'
import {
  type Command,
  fetching,
  inWords,
  type Outcome,
  outcomesOf,
  series,
  together,
  waiting
} from './_command.ts'
import {
  anyProbe,
  type CallableServer,
  graceMs,
  leadsMs,
  openServer,
  type Probe
} from './_stage.ts'

const most = 6

type Calls = Record<string, Command>

/** Every call that counts, by its clause; none of them depends on what is stored. */
function callsOf({ probe, url, address }: { probe: Probe; url: string; address: string }): Calls {
  const cached = `http://${probe.host}/plimsoll-connections`
  const cache = (call: string) => ({ do: 'cache', call, url: cached })
  const kv = (call: string, ...args: string[]) => ({ do: 'kv', call, args })
  const object = (call: string, ...args: string[]) => ({ do: 'object', call, args })
  const queue = (call: string, args: unknown[]) => ({ do: 'queue', call, args })
  return {
    fetch: fetching(url),
    'kv-get': kv('get', 'plimsoll'),
    'kv-put': kv('put', 'plimsoll', 'v'),
    'kv-list': kv('list'),
    'kv-delete': kv('delete', 'plimsoll'),
    'cache-put': cache('put'),
    'cache-match': cache('match'),
    'cache-delete': cache('delete'),
    'object-list': object('list'),
    'object-get': object('get', 'plimsoll'),
    'object-put': object('put', 'plimsoll', 'v'),
    'object-delete': object('delete', 'plimsoll'),
    'object-head': object('head', 'plimsoll'),
    'queue-send': queue('send', ['plimsoll']),
    'queue-send-batch': queue('sendBatch', [[{ body: 'plimsoll' }]]),
    'tcp-socket': { do: 'socket', address, module: probe.socketModule }
  }
}

/**
 * Has six connections held, then makes a call beside them, and sees whether it waits for one of the
 * six to end. Undefined where the six did not come about before the call was made.
 */
async function placed(
  { probe, channel, call }: { probe: Probe; channel: Channel; call: Command },
  leadMs: number
): Promise<Reply | undefined> {
  const held = Array.from({ length: most }, () => fetching(channel.url({ hold: 'head' })))
  const asked = probe.ask(together(...held, series(waiting(leadMs), call)))
  const isFull = await channel.until(({ open }) => open === most, leadMs)
  await channel.until(() => false, leadMs + graceMs)
  channel.release()
  const reply = await asked
  return isFull ? reply : undefined
}

/** Judges whether a call counts, and tells so where that came out. */
async function judge(
  { verify }: Context & Judge,
  {
    probe,
    server,
    name,
    call
  }: { probe: Probe; server: CallableServer; name: string; call: Command }
): Promise<boolean | undefined> {
  for (const leadMs of leadsMs) {
    const reply = await placed(
      { probe, channel: server.channel(`${name}-${leadMs}`), call },
      leadMs
    )
    if (reply === undefined) continue
    const outcomes = outcomesOf(reply)
    const own: Outcome | undefined = outcomes.at(-1)?.ok?.[1]
    // A call that fails says nothing of when it would have been made.
    if (own === undefined || own.error !== undefined) return undefined
    const first = Math.min(...outcomes.slice(0, most).map(({ at }) => at))
    const holds = own.at > first
    const order = holds ? 'after one of the six had ended' : 'while six others were open'
    const saw = `${name}: done ${order} (${inWords([own])})`
    verify(`connections.counted-call.${name}`, { holds, saw }, reply)
    return holds
  }
  return undefined
}

const names = Object.keys(callsOf({ probe: { host: '' } as Probe, url: '', address: '' }))

export default check({
  title: 'Calls to the network, stores, cache, queues and sockets each take a connection',
  clauses: names.map((name) => `connections.counted-call.${name}`),
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await anyProbe(context)
    await using server = await openServer(context)
    const { address } = await server.sockets()
    const { fetch, ...others } = callsOf({ probe, url: server.channel('seventh').url(), address })
    // The six that are held are fetches; if they do not count, nothing can be told of the others.
    if (!(await judge(context, { probe, server, name: 'fetch', call: fetch! }))) return
    const asked = Object.entries(others).map(([name, call]) =>
      judge(context, { probe, server, name, call })
    )
    await Promise.all(asked)
  }
})
