import { check, type Look, type Reply, summary } from 'plimsoll'
import { callsOf } from './_calls.ts'
import {
  type Command,
  fetching,
  outcomesOf,
  repeat,
  series,
  type Tally,
  together
} from './_command.ts'
import { anyProbe, type CallableServer, openServer, type Probe, patienceMs } from './_stage.ts'

const started = 'connections.start-when-closed'
/** More than there may be connections beside one. */
const times = 6
/** More than one piece of a body. */
const large = 'x'.repeat(150_000)

/** The clause that says what a call does; of a queue there is none. */
const services = { fetch: 'fetch', kv: 'key-value', cache: 'cache', object: 'object-storage' }
const clauses = Object.values(services).map((name) => `functions.service.${name}`)

/** Calls of each service about what is not there. */
function ofNothing({ host }: Probe): Record<string, Command[]> {
  const [nothing, prefix] = ['plimsoll-nothing', { prefix: 'plimsoll-nothing' }]
  const url = `http://${host}/${nothing}`
  const kv = (call: string, arg: unknown) => ({ do: 'kv', call, args: [arg] })
  const object = (call: string, arg: unknown) => ({ do: 'object', call, args: [arg] })
  return {
    'kv of nothing': [kv('get', nothing), kv('delete', nothing), kv('list', prefix)],
    'object of nothing': [
      ...['get', 'head', 'delete'].map((call) => object(call, nothing)),
      object('list', prefix)
    ],
    'cache of nothing': ['match', 'delete'].map((call) => ({ do: 'cache', call, url }))
  }
}

/** Puts something, and gets it again, of which the body is cancelled, by service. */
function cancelled({ host }: Probe): Record<string, Command[]> {
  const [name, body] = ['plimsoll-cancelled', 'cancel']
  const url = `http://${host}/${name}`
  return {
    'object body, cancelled': [
      { do: 'object', call: 'put', args: [name, large] },
      { do: 'object', call: 'get', args: [name], body }
    ],
    'cache body, cancelled': [
      { do: 'cache', call: 'put', url, bytes: large.length },
      { do: 'cache', call: 'match', url, body }
    ]
  }
}

type Place = { probe: Probe; server: CallableServer }
type Seen = { clause: string; look: Look }

/**
 * Makes some calls once, then each more often than there may be connections, and asks the server in
 * between and behind: where the last does not come, those before it are still open. One request is
 * under way all the while, so that none of it is a deadlock.
 */
async function inTurn(place: Place, [name, calls]: [string, Command[]]): Promise<Seen[]> {
  const { probe, server } = place
  const busy = server.channel(`${name}-beside`)
  const [once, behind] = [server.channel(`${name}-once`), server.channel(`${name}-behind`)]
  const bare = { status: 204 }
  const all = repeat(times * calls.length, calls)
  const turn = [repeat(calls.length, calls), fetching(once.url(bare)), all]
  const asks = series(...turn, fetching(behind.url(bare)))
  const asked = probe.ask(together(fetching(busy.url({ hold: 'head' })), asks), {
    timeoutMs: 2 * patienceMs
  })
  const hasCome = ({ requests }: { requests: number }) => requests > 0
  const isMade = await once.until(hasCome, patienceMs)
  const holds = isMade && (await behind.until(hasCome, patienceMs))
  busy.release()
  const reply = await asked
  const [, outcome] = outcomesOf(reply)
  // A call that fails shows nothing, but of fetches: a target may have no such service.
  const { failed } = (outcome?.ok?.[0].ok ?? { failed: 0 }) as Tally
  if (failed > 0 && !name.startsWith('fetch')) return []
  if (!isMade) return ended(name, { holds: false, reply: await alone(place, name) })
  const saw = holds ? 'then another is made' : `after ${times} more of each, none is made`
  // What the server saw does not depend on an answer that is lost with what waits for ever.
  const evidence = holds ? reply : await probe.ask({ do: 'count' })
  const look = { asked: name, holds, saw, reply: evidence }
  return [{ clause: started, look }, ...(outcome ? ended(name, { holds: true, reply }) : [])]
}

/** What it says of its service that a call comes to an end, or does not where another one does. */
function ended(name: string, { holds, reply }: { holds: boolean; reply?: Reply }): Seen[] {
  const kind = Object.entries(services).find(([begin]) => name.startsWith(begin))?.[1]
  if (kind === undefined || reply === undefined) return []
  const saw = holds ? 'comes to its end' : 'does not come to an end'
  return [{ clause: `functions.service.${kind}`, look: { asked: name, holds, saw, reply } }]
}

/** The answer to a request that makes no call but that to the server; undefined if that fails. */
async function alone({ probe, server }: Place, name: string): Promise<Reply | undefined> {
  const channel = server.channel(`${name}-alone`)
  const reply = await probe.ask(fetching(channel.url({ status: 204 })))
  return channel.seen().requests > 0 ? reply : undefined
}

export default check({
  title: 'A call comes to its end, and holds no connection any more, in whatever way it ended',
  clauses: [started, ...clauses],
  needs: ['edge', 'probe', 'reach'],
  expectedReplies: ['timeout'],
  async run(context) {
    const probe = await anyProbe(context)
    await using server = await openServer(context)
    const channel = server.channel('calls')
    // A socket is open for as long as nobody closes it.
    const { 'tcp-socket': _, ...calls } = callsOf({ probe, url: channel.url(), address: '' })
    const cut = server.channel('cut').url({ cuts: Infinity })
    const each: Record<string, Command[]> = {
      ...Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, [call]])),
      ...ofNothing(probe),
      ...cancelled(probe),
      'fetch without a body': [fetching(channel.url({ status: 204 }))],
      'fetch of a head': [fetching(channel.url(), { method: 'HEAD' })],
      'fetch that is led on': [fetching(channel.url({ hops: 1 }))],
      'fetch that may not be': [fetching(channel.url({ hops: 1 }), { redirect: 'error' })],
      'fetch that sends': [fetching(channel.url({ status: 404 }), { method: 'POST', send: 9 })],
      'fetch that is cut off': [fetching(cut), fetching(cut, { method: 'POST', send: 9 })]
    }
    const seen = await Promise.all(
      Object.entries(each).map((one) => inTurn({ probe, server }, one))
    )
    for (const clause of [started, ...clauses]) {
      const told = summary(seen.flat().flatMap((one) => (one.clause === clause ? one.look : [])))
      if (told) context.verify(clause, ...told)
    }
  }
})
