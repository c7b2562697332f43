import { check, type Look, type Reply, summary } from 'plimsoll'
import { callsOf } from './_calls.ts'
import { type Command, fetching, outcomesOf, repeat, series, together } from './_command.ts'
import { anyProbe, type CallableServer, openServer, type Probe, patienceMs } from './_stage.ts'

const started = 'connections.start-when-closed'
/** More than there may be connections beside one. */
const times = 6

/** The clause that says what a call does; of a queue there is none. */
const services = { fetch: 'fetch', kv: 'key-value', cache: 'cache', object: 'object-storage' }
const clauses = Object.values(services).map((name) => `functions.service.${name}`)

type Place = { probe: Probe; server: CallableServer }
type Seen = { clause: string; look: Look }

/**
 * Makes a call once, then more often than there may be connections, and asks the server in between
 * and behind: where the last does not come, those before it are still open. One request is under
 * way all the while, so that none of it is a deadlock.
 */
async function inTurn(place: Place, [name, call]: [string, Command]): Promise<Seen[]> {
  const { probe, server } = place
  const busy = server.channel(`${name}-beside`)
  const [once, behind] = [server.channel(`${name}-once`), server.channel(`${name}-behind`)]
  const bare = { status: 204 }
  const turn = [call, fetching(once.url(bare)), repeat(times, call), fetching(behind.url(bare))]
  const asked = probe.ask(together(fetching(busy.url({ hold: 'head' })), series(...turn)), {
    timeoutMs: 2 * patienceMs
  })
  const hasCome = ({ requests }: { requests: number }) => requests > 0
  const isMade = await once.until(hasCome, patienceMs)
  const holds = isMade && (await behind.until(hasCome, patienceMs))
  busy.release()
  const reply = await asked
  const [, outcome] = outcomesOf(reply)
  // A call that fails shows nothing: a target may have no such service.
  if (outcome?.ok?.[0].error !== undefined) return []
  if (!isMade) return ended(name, { holds: false, reply: await alone(place, name) })
  const saw = holds ? 'then another is made' : `after ${times} more, in turn, none is made`
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
    const fetches: Record<string, Command> = {
      'fetch without a body': fetching(channel.url({ status: 204 })),
      'fetch of a head': fetching(channel.url(), { method: 'HEAD' }),
      'fetch that is led on': fetching(channel.url({ hops: 1 })),
      'fetch that sends': fetching(channel.url({ status: 404 }), { method: 'POST', send: 9 })
    }
    const each = Object.entries({ ...calls, ...fetches })
    const seen = await Promise.all(each.map((one) => inTurn({ probe, server }, one)))
    for (const clause of [started, ...clauses]) {
      const told = summary(seen.flat().flatMap((one) => (one.clause === clause ? one.look : [])))
      if (told) context.verify(clause, ...told)
    }
  }
})
