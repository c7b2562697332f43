import type { Client, Context } from 'plimsoll'
import type { Plan } from '../edge/_too-large.ts'
import { zonePlans } from './_plan.ts'

/** Who asks for a function at each kind of host, those in zones by plan. */
export type Hosts = {
  shared: Client
  zone: Record<Plan, { own: Client; below: Client; domain: Client }>
}

/** A host is below another by one label, or by several. */
const labels = { free: 'below', pro: 'far.below', business: 'www', enterprise: 'far.below' }

/** Deploys a function to which every kind of host leads; undefined where it is refused. */
export async function hostsOf(
  { adapter, edge }: Context,
  source: string
): Promise<Hosts | undefined> {
  const { id: account } = await adapter.account('standard')
  const said = await adapter.deploy({ account, name: 'everywhere', source })
  if (!said.accepted) return undefined
  const zone = async (plan: Plan) => {
    const { id, host } = await adapter.zoneOf(account, plan)
    const [own, below, domain] = [host, `${labels[plan]}.${host}`, `function.${host}`] as const
    for (const name of [own, below]) await adapter.route(id, `${name}/*`, { function: said.id })
    await adapter.customDomain(said.id, domain)
    return [plan, { own: edge.as(own), below: edge.as(below), domain: edge.as(domain) }] as const
  }
  const zones = await Promise.all(zonePlans.map(zone))
  return { shared: edge.as(said.host), zone: Object.fromEntries(zones) as Hosts['zone'] }
}
