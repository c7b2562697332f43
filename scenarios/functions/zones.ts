import { check } from 'plimsoll'
import { countUp } from './_count-up.ts'
import { zonePlans } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { versions } from './_version.ts'

export default check({
  title: 'A function may be on the routes of 1,000 zones, and not of more',
  clauses: ['limits.routes.zones-per-function'],
  tier: 'full',
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route'],
  async run(context) {
    const { adapter, edge } = context
    const { account, id } = await versions(context, 'bundled')
    // The zones of another function are its own, and count toward nothing of this one's.
    const other = await adapter.deploy({ account, name: 'other', source: probeSource() })
    if (!other.accepted) return
    for (const plan of zonePlans) {
      const zone = await adapter.zoneOf(account, plan)
      await adapter.route(zone.id, `${zone.host}/*`, { function: other.id })
    }
    let host = ''
    await countUp(context, {
      clause: 'limits.routes.zones-per-function',
      most: 1_000,
      unit: 'zones',
      async once(number) {
        const zone = await adapter.zoneOf(account, zonePlans[number % zonePlans.length]!)
        const said = await adapter.route(zone.id, `${zone.host}/*`, { function: id })
        if (!said.accepted) return said.because
        host = zone.host
        return undefined
      },
      evidence: () => edge.as(host).post('/', { json: { do: 'count' } })
    })
  }
})
