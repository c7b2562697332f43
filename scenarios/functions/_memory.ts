import { check, type Scenario } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { outcomeOf } from './_command.ts'
import { deployed, type Probe } from './_stage.ts'

/** So much is kept by each request, so that none of them needs much processor time for it. */
const partMegabytes = 2
const safeMegabytes = 64
const ceilingMegabytes = 512

/** Keeps more and more in the globals of a function, and tells how much there was in the end. */
async function fill(probe: Probe, as: 'heap' | 'buffer') {
  const keep = (megabytes: number) => probe.ask({ do: 'allocate', megabytes, as, leak: true })
  let heldMegabytes = 0
  while (heldMegabytes < ceilingMegabytes) {
    const reply = await keep(partMegabytes)
    // A request that fails for another reason leaves its instance, and what that has kept.
    const held = outcomeOf(reply)?.ok ?? outcomeOf(await keep(0))?.ok ?? 0
    if (held < heldMegabytes) return { reply, heldMegabytes }
    heldMegabytes = held
  }
  return { reply: await keep(0), heldMegabytes }
}

/** A check of how much memory an instance may use on a plan. */
export function memoryLimit(options: {
  clause: string
  plan: FunctionPlan
  tier?: Scenario['tier']
}): Scenario {
  const { clause, plan, tier } = options
  return check({
    title: `An instance may use 128 MB of memory on plan ${plan}, and not much more`,
    clauses: [clause],
    tier,
    needs: ['edge', 'probe'],
    async run(context) {
      for (const as of ['heap', 'buffer'] as const) {
        const probe = await deployed(context, { plan, name: as })
        const { reply, heldMegabytes } = await fill(probe, as)
        const end =
          heldMegabytes < ceilingMegabytes ? `then cancelled: ${reply.because}` : 'never cancelled'
        const where = as === 'heap' ? 'on the heap' : 'in buffers'
        const saw = `${heldMegabytes} MB ${where}, ${end}`
        const holds = heldMegabytes >= safeMegabytes && heldMegabytes < ceilingMegabytes
        context.verify(clause, { holds, saw }, reply)
      }
    }
  })
}
