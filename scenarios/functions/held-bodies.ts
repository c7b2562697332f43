import { type Context, check, type Judge } from 'plimsoll'
import { fetching, outcomesOf, series, together, waiting } from './_command.ts'
import { anyProbe, graceMs, leadsMs, openServer, type Probe, patienceMs } from './_stage.ts'

const holds = 'connections.unread-body-holds'
const frees = 'connections.cancel-body-frees'
const names = ['a', 'b', 'c', 'd', 'e']

/**
 * Five bodies that nobody reads and one request that is being answered, so that it is no deadlock:
 * a seventh has to wait, until one of the bodies is cancelled. Undefined where the six were not
 * there before the seventh.
 */
async function seventh(
  context: Context,
  probe: Probe,
  given: { leadMs: number; cancelled: string[] }
) {
  const { leadMs, cancelled } = given
  await using server = await openServer(context)
  const [unread, busy, last] = [
    server.channel('unread'),
    server.channel('busy'),
    server.channel('seventh')
  ]
  const url = unread.url({ hold: 'body', bytes: 10 })
  const opened = names.map((keep) => fetching(url, { body: 'leave', keep }))
  const cancelling = cancelled.map((name) => ({ do: 'cancel', name }))
  const asked = probe.ask(
    series(
      together(...opened),
      together(
        fetching(busy.url({ hold: 'head' })),
        series(waiting(leadMs), ...cancelling, fetching(last.url()))
      )
    )
  )
  await unread.until(({ open }) => open === names.length, patienceMs)
  const isFull = await busy.until(({ open }) => open === 1, leadMs)
  const hasCome = ({ requests }: { requests: number }) => requests > 0
  const waitMs = cancelled.length > 0 ? patienceMs : graceMs
  const came = await last.until(hasCome, leadMs + waitMs)
  for (const channel of [busy, unread]) channel.release()
  const reply = await asked
  return isFull && outcomesOf(reply).length > 0 ? { came, reply } : undefined
}

async function judge(context: Context & Judge, probe: Probe, cancelled: string[]) {
  for (const leadMs of leadsMs) {
    const seen = await seventh(context, probe, { leadMs, cancelled })
    if (seen === undefined) continue
    const { came, reply } = seen
    const bodies = `five unread bodies, ${cancelled.length} cancelled, and one request under way`
    const saw = `${bodies}: the seventh request ${came ? 'is made' : 'waits'}`
    if (cancelled.length > 0) context.verify(frees, { holds: came, saw }, reply)
    else context.verify(holds, { holds: !came, saw }, reply)
    return
  }
}

export default check({
  title: 'A body that is not read holds its connection, until it is cancelled',
  clauses: [holds, frees],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await anyProbe(context)
    await judge(context, probe, [])
    await judge(context, probe, ['a'])
  }
})
