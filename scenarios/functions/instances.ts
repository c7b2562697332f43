import { check } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { anyProbe } from './_stage.ts'

const persist = 'runtime.globals-persist'
const single = 'runtime.one-instance-per-server'
const requests = 20

/** What an instance says of itself: which one it is, and how many requests it has had. */
type Counted = { instance: string; requests: number }

export default check({
  title: 'Requests share the one instance of a function that a server has, and its globals',
  clauses: [persist, single],
  needs: ['edge', 'probe'],
  async run(context) {
    const probe = await anyProbe(context)
    const count = () => probe.ask({ do: 'count' })
    const first = await count()
    const later = await count()
    const [one, two] = [first, later].map((reply) => outcomeOf(reply)?.ok as Counted | undefined)
    if (!one || !two) return
    // A second server answers with globals of its own; then several answers have to tell.
    const replies = await Promise.all(Array.from({ length: requests }, count))
    const all = [first, later, ...replies].map((reply) => outcomeOf(reply)?.ok as Counted)
    if (all.some((counted) => counted === undefined)) return
    const instances = new Set(all.map(({ instance }) => instance)).size
    const most = Math.max(...all.map((counted) => counted.requests))
    const saw = `${all.length} requests met ${instances} instances, of which one counts ${most}`
    context.verify(persist, { holds: most > 1, saw }, first, ...replies)
    // Each server has one, so that requests at the same time do not make more of them.
    const again = (await count()).json?.ok as Counted | undefined
    const isKnown = all.some(({ instance }) => instance === again?.instance)
    const holds = instances <= (probe.servers ?? all.length / 2) && isKnown
    context.verify(single, { holds, saw }, first, ...replies)
  }
})
