import { setTimeout as pause } from 'node:timers/promises'
import { check, type Reply } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { repeat, tallyOf } from './_command.ts'
import { probeSource } from './_probing.ts'
import { ampleCpuMs, patienceMs } from './_stage.ts'
import { variables } from './_variables.ts'

/** By plan, in the order in which the account moves: calls of the cache, and variables. */
const plans: { plan: FunctionPlan; calls: number; of: string; variables: number }[] = [
  { plan: 'bundled', calls: 50, of: 'bundled', variables: 128 },
  { plan: 'standard', calls: 1_000, of: 'unbound-standard', variables: 128 },
  { plan: 'free', calls: 50, of: 'free', variables: 64 },
  { plan: 'unbound', calls: 1_000, of: 'unbound-standard', variables: 128 }
]
/** More than the smaller of both numbers, and within the larger. */
const [someCalls, someVariables] = [60, 70]
/** No more than the smaller. */
const fewVariables = 60
const everyMs = 400

const callsOn = (of: string) => `limits.cache-api.calls.${of}`
const variablesOn = (plan: FunctionPlan) =>
  `limits.function.env-vars.${plan === 'free' ? 'free' : 'paid'}`

/** Asks until it is as it should be, or for a while: a plan may take a moment to be in force. */
async function until<Seen>(
  ask: () => Promise<Seen>,
  isDue: (seen: Seen) => boolean
): Promise<Seen> {
  const began = performance.now()
  for (;;) {
    const seen = await ask()
    if (isDue(seen) || performance.now() - began > patienceMs) return seen
    await pause(everyMs)
  }
}

export default check({
  title: 'A function has the limits of the plan that its account is on, whichever it was on before',
  clauses: [...new Set(plans.flatMap(({ plan, of }) => [callsOn(of), variablesOn(plan)]))],
  tier: 'full',
  needs: ['edge', 'account', 'accountPlan', 'deploy'],
  async run({ adapter, edge, verify }) {
    const [{ plan: first }] = plans as [(typeof plans)[number]]
    const { id: account } = await adapter.account(first)
    const source = probeSource()
    const deploy = (name: string, more = {}) => adapter.deploy({ account, name, source, ...more })
    const wished = await deploy('moved', { cpuMs: ampleCpuMs })
    const said = wished.accepted ? wished : await deploy('moved')
    if (!said.accepted) return
    const url = `http://${said.host}/plimsoll-moved`
    const calling = repeat(someCalls, { do: 'cache', call: 'match', url })
    const made = async (): Promise<[number | undefined, Reply]> => {
      const reply = await edge.as(said.host).post('/', { json: calling })
      return [tallyOf(reply)?.succeeded, reply]
    }
    const isDeployed = async (count: number) =>
      (await deploy('more', { env: variables(count, 'V') })).accepted
    const before: string[] = []
    for (const { plan, calls, of, variables: most } of plans) {
      if (plan !== first) await adapter.accountPlan(account, plan)
      const due = Math.min(someCalls, calls)
      const [succeeded, reply] = await until(made, ([count]) => count === due)
      // Without a plan before it that is the matter of other scenarios.
      if (plan === first && succeeded !== due) return
      const behind = `on plan ${plan}, behind ${before.join(', ') || 'none'}`
      before.push(plan)
      if (succeeded !== undefined) {
        const saw = `${behind}: ${succeeded} of ${someCalls} calls of the cache`
        verify(callsOn(of), { holds: succeeded === due, saw }, reply)
      }
      const isDue = someVariables <= most
      const isTaken = await until(
        () => isDeployed(someVariables),
        (taken) => taken === isDue
      )
      // Who takes fewer has refused more for their number; and who moves may have to be within it.
      if (!(await isDeployed(fewVariables))) continue
      const saw = `${behind}: ${someVariables} variables are ${isTaken ? 'taken' : 'refused'}`
      verify(variablesOn(plan), { holds: isTaken === isDue, saw }, reply)
    }
  }
})
