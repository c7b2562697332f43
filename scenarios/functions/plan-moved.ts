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
const everyMs = 400

const callsOn = (of: string) => `limits.cache-api.calls.${of}`
const variablesOn = (plan: FunctionPlan) =>
  `limits.function.env-vars.${plan === 'free' ? 'free' : 'paid'}`

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
    const ask = () => edge.as(said.host).post('/', { json: calling })
    /** Asks until so many succeed, or for a while: a plan may take a moment to be in force. */
    const made = async (due: number): Promise<[number | undefined, Reply]> => {
      const began = performance.now()
      for (;;) {
        const reply = await ask()
        const succeeded = tallyOf(reply)?.succeeded
        if (succeeded === due || performance.now() - began > patienceMs) return [succeeded, reply]
        await pause(everyMs)
      }
    }
    const before: string[] = []
    for (const { plan, calls, of, variables: most } of plans) {
      if (plan !== first) await adapter.accountPlan(account, plan)
      const due = Math.min(someCalls, calls)
      const [succeeded, reply] = await made(due)
      // Without a plan before it that is the matter of other scenarios.
      if (plan === first && succeeded !== due) return
      const behind = `on plan ${plan}, behind ${before.join(', ') || 'none'}`
      before.push(plan)
      if (succeeded !== undefined) {
        const saw = `${behind}: ${succeeded} of ${someCalls} calls of the cache`
        verify(callsOn(of), { holds: succeeded === due, saw }, reply)
      }
      const more = await deploy('more', { env: variables(someVariables, 'V') })
      const fate = more.accepted ? 'taken' : 'refused'
      const saw = `${behind}: ${someVariables} variables are ${fate}`
      verify(variablesOn(plan), { holds: more.accepted === someVariables <= most, saw }, reply)
    }
  }
})
