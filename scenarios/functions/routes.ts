import { check } from 'plimsoll'
import { countUp } from './_count-up.ts'
import { oneOf, zonePlans } from './_plan.ts'
import { versions } from './_version.ts'

export default check({
  title: 'A zone may have 1,000 routes, and not more',
  clauses: ['limits.routes.per-zone'],
  tier: 'full',
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route'],
  async run(context) {
    const { adapter, edge } = context
    const { account, id } = await versions(context, 'bundled')
    const zone = await adapter.zoneOf(account, oneOf(zonePlans, context))
    // Those of another zone are none of this one's.
    const other = await adapter.zoneOf(account, oneOf(zonePlans, context))
    await adapter.route(other.id, `${other.host}/*`, { function: id })
    await countUp(context, {
      clause: 'limits.routes.per-zone',
      most: 1_000,
      unit: 'routes',
      async once(number) {
        const said = await adapter.route(zone.id, `${zone.host}/${number}/*`, { function: id })
        return said.accepted ? undefined : said.because
      },
      evidence: (done) => edge.as(zone.host).post(`/${done - 1}/`, { json: { do: 'count' } })
    })
  }
})
