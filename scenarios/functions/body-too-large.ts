import { check } from 'plimsoll'
import { announced, judgeTooLarge, plans, tooLargeClauses } from '../edge/_too-large.ts'

/** Reads all of a body, keeps nothing of it, and lets whatever goes wrong with that be. */
const source = `
export default {
  async fetch(request) {
    let bytes = 0
    for await (const chunk of request.body ?? []) bytes += chunk.length
    return new Response(String(bytes))
  }
}`

/** Such a body costs all of its bytes. */
const unannounced = [
  { plan: 'free', method: 'POST', framing: 'chunked' },
  { plan: 'pro', method: 'PUT', framing: 'chunked' },
  { plan: 'business', method: 'PATCH', framing: 'chunked' },
  { plan: 'enterprise', method: 'PUT', framing: 'chunked' }
] as const

export default check({
  title: 'A body over the plan’s maximum is refused with 413 though a function reads it',
  clauses: tooLargeClauses,
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route'],
  async run(context) {
    const { adapter, edge, tier } = context
    const { id: account } = await adapter.account('standard')
    const said = await adapter.deploy({ account, name: 'reader', source })
    if (!said.accepted) return
    const dear = tier === 'quick' ? unannounced.slice(0, 1) : unannounced
    for (const plan of plans) {
      const zone = await adapter.zoneOf(account, plan)
      await adapter.route(zone.id, `${zone.host}/*`, { function: said.id })
      const client = edge.as(zone.host)
      // Whoever is not served by it is refused nothing that it would read.
      if ((await client.post('/', { body: 'three' })).body !== '5') continue
      for (const way of [...announced, ...dear])
        if (way.plan === plan) await judgeTooLarge(context, { client, path: '/', ...way })
    }
  }
})
