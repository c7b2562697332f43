import { check, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { anyProbe } from './_stage.ts'

const persist = 'runtime.globals-persist'
const single = 'runtime.one-instance-per-server'
/** Enough requests for two of them to meet the same server, one after another and at once. */
const [inTurn, atOnce] = [10, 10]

/** What an instance says of itself: which one it is, and how many requests it has had. */
type Counted = { instance: string; requests: number }

export default check({
  title: 'Requests share the one instance of a function that a server has, and its globals',
  clauses: [persist, single],
  needs: ['edge', 'probe'],
  async run(context) {
    const { ask, servers } = await anyProbe(context)
    const replies: Reply[] = []
    const seen: Counted[] = []
    const count = async () => {
      const reply = await ask({ do: 'count' })
      const counted: Counted | undefined = outcomeOf(reply)?.ok
      if (counted === undefined) return
      replies.push(reply)
      seen.push(counted)
    }
    const most = () => Math.max(0, ...seen.map(({ requests }) => requests))
    for (let request = 0; request < inTurn && most() < 2; request++) await count()
    if (seen.length < 2) return
    const evidence = replies as [Reply, ...Reply[]]
    const saw = `of ${seen.length} requests one after another an instance counts ${most()}`
    context.verify(persist, { holds: most() > 1, saw }, ...evidence)
    if (most() < 2) return

    await Promise.all(Array.from({ length: atOnce }, count))
    const instances = new Set(seen.map(({ instance }) => instance)).size
    const words = `${seen.length} requests, most of them at once, met ${instances} instances`
    const holds = instances <= (servers ?? seen.length / 2)
    context.verify(single, { holds, saw: words }, ...evidence)
  }
})
