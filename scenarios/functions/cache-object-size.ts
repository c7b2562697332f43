import { check, MB } from 'plimsoll'
import { outcomesOf, series } from './_command.ts'
import { deployed, patienceMs } from './_stage.ts'

const plans = { free: 'free', bundled: 'bundled', 'unbound-standard': 'standard' } as const
const documented = 512 * MB
/** Enough to move so many bytes, which is more than smaller plans have. */
const ampleCpuMs = 25_000

export default check({
  title: 'An object in the cache may have 512 MB, and not more',
  clauses: Object.keys(plans).map((kind) => `limits.cache-api.object-size.${kind}`),
  tier: 'full',
  needs: ['edge', 'probe'],
  async run(context) {
    for (const [kind, plan] of Object.entries(plans)) {
      const probe = await deployed(context, { plan, cpuMs: ampleCpuMs })
      // Whether MB are decimal or binary is left to the target.
      for (const [factor, isAllowed] of [
        [0.98, true],
        [1.07, false]
      ] as const) {
        const bytes = Math.round(factor * documented)
        const url = `http://${probe.host}/plimsoll-${bytes}`
        const calls = ['put', 'match', 'delete'].map((call) => ({ do: 'cache', call, url, bytes }))
        const reply = await probe.ask(series(...calls), { timeoutMs: 4 * patienceMs })
        const [put, found] = outcomesOf(reply)
        if (put === undefined || found === undefined) continue
        const isThere = found.ok?.bytes === bytes
        const saw = `${bytes} bytes: ${put.error ?? 'put'}, then ${isThere ? 'there' : 'not there'}`
        const clause = `limits.cache-api.object-size.${kind}`
        context.verify(clause, { holds: isThere === isAllowed, saw }, reply)
      }
    }
  }
})
