import { type Context, check, MB, type Reply } from 'plimsoll'
import { outcomesOf, series } from './_command.ts'
import { ampleCpuMs, deployed, type Probe, patienceMs } from './_stage.ts'

const plans = { free: 'free', bundled: 'bundled', 'unbound-standard': 'standard' } as const
const documented = 512 * MB

/** Whether an object is there once it was put; undefined where the probe did not come to tell. */
async function kept(probe: Probe, bytes: number) {
  const url = `http://${probe.host}/plimsoll-${bytes}`
  const calls = ['put', 'match', 'delete'].map((call) => ({ do: 'cache', call, url, bytes }))
  const reply: Reply = await probe.ask(series(...calls), { timeoutMs: 4 * patienceMs })
  const [put, found] = outcomesOf(reply)
  if (put === undefined || found === undefined) return undefined
  const isThere = found.ok?.bytes === bytes
  const saw = `${bytes} bytes: ${put.error ?? 'put'}, then ${isThere ? 'there' : 'not there'}`
  return { isThere, saw, reply }
}

/** Both sides of the limit; a cache that keeps nothing any more says nothing of either. */
async function sides(context: Context, plan: (typeof plans)[keyof typeof plans]) {
  // To move so many bytes takes more than smaller plans have.
  const probe = await deployed(context, { plan, cpuMs: ampleCpuMs })
  // Whether MB are decimal or binary is left to the target: 1.049 of it is 512 MiB.
  const below = await kept(probe, Math.round(0.98 * documented))
  const beyond = await kept(probe, Math.round(1.05 * documented))
  const small = await kept(probe, MB)
  return below && beyond && small?.isThere ? { below, beyond } : undefined
}

export default check({
  title: 'An object in the cache may have 512 MB, and not more',
  clauses: Object.keys(plans).map((kind) => `limits.cache-api.object-size.${kind}`),
  tier: 'full',
  needs: ['edge', 'probe'],
  async run(context) {
    for (const [kind, plan] of Object.entries(plans)) {
      const seen = await sides(context, plan)
      if (seen === undefined) continue
      const { below, beyond } = seen
      const holds = below.isThere && !beyond.isThere
      const saw = `${below.saw}; ${beyond.saw}`
      const clause = `limits.cache-api.object-size.${kind}`
      context.verify(clause, { holds, saw }, below.reply, beyond.reply)
    }
  }
})
