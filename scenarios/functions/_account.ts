import type { Context } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { probeSource } from './_probing.ts'

/** A fresh account with a probe, and the ways there are to it. */
export async function settle({ adapter, edge }: Context, plan: FunctionPlan) {
  const { id: account, zone: sharedZone } = await adapter.account(plan)
  const deploy = (name: string, env = {}) =>
    adapter.deploy({ account, name, source: probeSource(), env })
  const said = await deploy('probe')
  if (!said.accepted) throw new Error(`the probe was refused: ${said.because}`)
  return {
    account,
    function: said.id,
    sharedZone,
    /** The probe's host on the account's shared subdomain. */
    shared: edge.as(said.host),
    /** Deploys the probe anew, and another function beside it: nothing that was counted changes. */
    async redeploy() {
      await deploy('probe', { NAME: 'anew' })
      await deploy('beside')
    },
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
