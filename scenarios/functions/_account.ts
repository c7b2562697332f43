import type { Context } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { probeSource } from './_probing.ts'

/** A fresh account with a probe, and the ways there are to it. */
export async function settle({ adapter, edge }: Context, plan: FunctionPlan) {
  const { id: account } = await adapter.account(plan)
  const said = await adapter.deploy({ account, name: 'probe', source: probeSource() })
  if (!said.accepted) throw new Error(`the probe was refused: ${said.because}`)
  return {
    account,
    function: said.id,
    /** The probe's host on the account's shared subdomain. */
    shared: edge.as(said.host),
    /** A fresh zone of the account, all of which goes to the probe. */
    async zone(zonePlan: string, failMode: 'open' | 'closed' = 'closed') {
      const zone = await adapter.zoneOf(account, zonePlan)
      const to = { function: said.id, failMode }
      const routed = await adapter.route(zone.id, `${zone.host}/*`, to)
      if (!routed.accepted) throw new Error(`the route was refused: ${routed.because}`)
      return { ...zone, client: edge.as(zone.host) }
    }
  }
}
