import { type Context, check, type Judge } from 'plimsoll'
import { fetching, outcomesOf, series, together, waiting } from './_command.ts'
import { anyProbe, graceMs, openYard, type Probe, patienceMs } from './_stage.ts'

const holds = 'connections.unread-body-holds'
const frees = 'connections.cancel-body-frees'
const names = ['a', 'b', 'c', 'd', 'e']

/**
 * Five bodies that nobody reads and one request that is being answered, so that it is no deadlock:
 * a seventh has to wait, until one of the bodies is cancelled where `cancelled` says so.
 */
async function judge(context: Context & Judge, probe: Probe, cancelled: string[]) {
  await using yard = await openYard(context)
  const [unread, busy, seventh] = ['unread', 'busy', 'seventh'].map((label) => yard.lane(label))
  const url = unread!.url({ hold: 'body', bytes: 10 })
  const opened = names.map((keep) => fetching(url, { body: 'leave', keep }))
  const cancelling = cancelled.map((name) => ({ do: 'cancel', name }))
  const asked = probe.ask(
    series(
      together(...opened),
      together(
        fetching(busy!.url({ hold: 'head' })),
        fetching(seventh!.url()),
        series(waiting(graceMs), ...cancelling)
      )
    )
  )
  await busy!.until(({ open }) => open === 1, patienceMs)
  const hasCome = ({ requests }: { requests: number }) => requests > 0
  const came = await seventh!.until(hasCome, cancelled.length > 0 ? patienceMs : 2 * graceMs)
  for (const lane of [busy!, unread!]) lane.release()
  const reply = await asked
  const [, last] = outcomesOf(reply)
  if (!Array.isArray(last?.ok) || unread!.seen().requests < names.length) return
  const saw = `five unread bodies, ${cancelled.length} cancelled, and one request under way: `
  const what = `the seventh request ${came ? 'is made' : 'waits'}`
  if (cancelled.length > 0) context.verify(frees, { holds: came, saw: saw + what }, reply)
  else context.verify(holds, { holds: !came, saw: saw + what }, reply)
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
