import { check } from 'plimsoll'
import { settle } from './_account.ts'
import { fetching, outcomeOf } from './_command.ts'
import { zonePlans } from './_plan.ts'
import { probeSource } from './_probing.ts'

const fails = 'error.same-zone-fetch-fails'
const allowed = 'error.custom-domain-fetch-allowed'
/** A status that only the other function answers with. */
const reached = 203

export default check({
  title: 'A fetch to another function on the same zone fails, unless it is on a custom domain',
  clauses: [fails, allowed],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain'],
  async run(context) {
    const { adapter, edge, verify } = context
    const { account, zone: zoneWithProbe } = await settle(context, 'standard')
    const said = await adapter.deploy({ account, name: 'other', source: probeSource() })
    if (!said.accepted) return
    const command = { do: 'stream', bytes: 2, status: reached }
    const query = new URLSearchParams({ command: JSON.stringify(command) })
    for (const plan of zonePlans) {
      const { client, id, host } = await zoneWithProbe(plan)
      await adapter.route(id, `${host}/other/*`, { function: said.id })
      const domain = `other.${host}`
      await adapter.customDomain(said.id, domain)
      // Without the functions between them both are there: only then does a failure mean anything.
      const direct = await client.get(`/other/?${query}`)
      const onDomain = await edge.as(domain).get(`/?${query}`)
      const judged = { [fails]: `http://${host}/other/`, [allowed]: `http://${domain}/` }
      for (const [clause, url] of Object.entries(judged)) {
        const isDirect = (clause === fails ? direct : onDomain).status === reached
        for (const method of ['GET', 'POST']) {
          const reply = await client.post('/', { json: fetching(`${url}?${query}`, { method }) })
          const outcome = outcomeOf(reply)
          if (outcome === undefined || !isDirect) continue
          const isReached = outcome.ok?.status === reached
          const fate = isReached ? 'reached' : (outcome.error ?? `HTTP ${outcome.ok?.status}`)
          const where = clause === fails ? 'on a route of the same zone' : 'on a custom domain'
          const saw = `${plan}, by ${method}, the other function ${where}: ${fate}`
          verify(clause, { holds: isReached === (clause === allowed), saw }, reply)
        }
      }
    }
  }
})
