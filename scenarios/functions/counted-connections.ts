import { type Channel, type Context, check, type Judge, type Reply } from 'plimsoll'
import { callsOf } from './_calls.ts'
import {
  type Command,
  fetching,
  inWords,
  type Outcome,
  outcomeOf,
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
const queued = 'connections.excess-queued'
/** Calls of which nothing else says that they work. */
const unspoken = ['tcp-socket']

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
    if (own === undefined) return undefined
    // A call that fails says nothing of when it would have been made.
    if (own.error !== undefined) return judgeAlone({ verify }, { probe, name, call }, reply)
    const first = Math.min(...outcomes.slice(0, most).map(({ at }) => at))
    const holds = own.at > first
    const order = holds ? 'after one of the six had ended' : 'while six others were open'
    const saw = `${name}: done ${order} (${inWords([own])})`
    verify(`connections.counted-call.${name}`, { holds, saw }, reply)
    if (holds) verify(queued, { holds, saw }, reply)
    return holds
  }
  return undefined
}

/**
 * Judges a call that failed beside six others: alone it may succeed, and then it was to wait. If it
 * never does, that is judged where no other clause does.
 */
async function judgeAlone(
  { verify }: Pick<Judge, 'verify'>,
  { probe, name, call }: { probe: Probe; name: string; call: Command },
  beside: Reply
): Promise<false | undefined> {
  const reply = await probe.ask(call)
  const outcome = outcomeOf(reply)
  if (outcome === undefined) return undefined
  const { error } = outcome
  if (error === undefined) {
    const saw = `${name}: fails while six others are open, and not when nothing is`
    verify(queued, { holds: false, saw }, beside, reply)
    return undefined
  }
  if (!unspoken.includes(name)) return undefined
  const saw = `${name}: fails while nothing else is open (${error})`
  verify(`connections.counted-call.${name}`, { holds: false, saw }, reply)
  return false
}

const names = Object.keys(callsOf({ probe: { host: '' } as Probe, url: '', address: '' }))

export default check({
  title: 'Calls to the network, stores, cache, queues and sockets each wait for a connection',
  clauses: [queued, ...names.map((name) => `connections.counted-call.${name}`)],
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
