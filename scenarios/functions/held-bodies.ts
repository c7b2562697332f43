import { type Context, check, type Judge, type Reply } from 'plimsoll'
import { fetching, outcomesOf, series, together, waiting } from './_command.ts'
import { type Held, names, ofAnswers, ofExchanges, sockets } from './_held.ts'
import {
  anyProbe,
  type CallableServer,
  graceMs,
  leadsMs,
  openServer,
  type Probe,
  patienceMs
} from './_stage.ts'

const unread = { holds: 'connections.unread-body-holds', frees: 'connections.cancel-body-frees' }
const open = {
  holds: 'connections.counted-call.tcp-socket',
  frees: 'connections.start-when-closed'
}

/**
 * Holds five connections, and a sixth by a request that is being answered, so that it is no
 * deadlock. Tells whether a seventh was opened before the five were given back, and how many were
 * behind that; undefined where the six were not there before.
 */
async function beside(
  server: CallableServer,
  { probe, held, leadMs }: { probe: Probe; held: Held; leadMs: number }
): Promise<{ isEarly: boolean; behind: number; reply: Reply } | undefined> {
  const { opened, areOpen, read, end } = held
  const busy = server.channel('busy')
  const next = server.channel('next')
  const begun = (what: string) => (name: string) => ({ do: 'begin', of: { do: what, name } })
  const seventh = fetching(server.channel('seventh').url({ status: 204 }))
  const others = together(...names.map(() => fetching(next.url({ hold: 'head' }))))
  const asked = probe.ask(
    series(
      together(...opened),
      together(
        fetching(busy.url({ hold: 'head' })),
        series(
          ...read.map(begun('peek')),
          waiting(leadMs),
          together(seventh, series(waiting(graceMs), ...names.map(begun('cancel')), others))
        )
      )
    )
  )
  const areThere = (await areOpen()) && (await busy.until((seen) => seen.open === 1, leadMs))
  await next.until(({ peak }) => peak === names.length, leadMs + graceMs + patienceMs)
  const behind = next.seen().peak
  for (const channel of [busy, next]) channel.release()
  end()
  const reply = await asked
  const [made, freed] = outcomesOf(reply)[1]?.ok?.[1].ok?.at(-1)?.ok ?? []
  if (!areThere || made === undefined) return undefined
  const isEarly = made.error === undefined && made.at < freed.ok[1].at
  return { isEarly, behind, reply }
}

/** Judges that five hold their connections until they are given back, and no longer. */
async function judge(
  context: Context & Judge,
  {
    what,
    clauses: { holds, frees },
    hold
  }: {
    what: string
    clauses: typeof unread
    hold: (server: CallableServer, probe: Probe) => Held | undefined | Promise<Held | undefined>
  }
) {
  const probe = await anyProbe(context)
  for (const leadMs of leadsMs) {
    await using server = await openServer(context)
    const held = await hold(server, probe)
    if (held === undefined) return
    const seen = await beside(server, { probe, held, leadMs })
    if (seen === undefined) continue
    const { isEarly, behind, reply } = seen
    const there = `five ${what}, and one request under way`
    const fate = isEarly ? 'is made' : 'waits'
    context.verify(holds, { holds: !isEarly, saw: `${there}: the seventh ${fate}` }, reply)
    const saw = `five ${what} are given back: ${behind} of ${names.length} requests are made`
    context.verify(frees, { holds: behind === names.length, saw }, reply)
    return
  }
}

export default check({
  title: 'Bodies that are not read hold their connections until they are cancelled, as sockets do',
  clauses: [...Object.values(unread), ...Object.values(open)],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const what = 'bodies that nobody reads to the end'
    // Each has a request of its own, and nothing to wait for of the others.
    await Promise.all([
      judge(context, { what, clauses: unread, hold: ofAnswers }),
      judge(context, { what: `${what}, of what was sent`, clauses: unread, hold: ofExchanges }),
      judge(context, { what: 'open sockets', clauses: open, hold: sockets })
    ])
  }
})
