import { check, matrix } from 'plimsoll'
import { countUp } from './_count-up.ts'
import { oneOf, zonePlans } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { versions } from './_version.ts'

export default check({
  title: 'A zone may have 1,000 routes, and not more, whatever they lead to',
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
    const second = await adapter.deploy({ account, name: 'second', source: probeSource() })
    if (!second.accepted) return
    // Each is one, be it of another function, mode or host, or of the same.
    const [hosts, functions] = [
      [zone.host, `below.${zone.host}`],
      [id, second.id]
    ]
    const kinds = matrix({ host: hosts, of: functions, failMode: ['open', 'closed'] })
    const kindOf = (number: number) => kinds[number % kinds.length]!
    await countUp(context, {
      clause: 'limits.routes.per-zone',
      most: 1_000,
      unit: 'routes',
      async once(number) {
        const { host, of, failMode } = kindOf(number)
        const to = { function: of, failMode }
        const said = await adapter.route(zone.id, `${host}/${number}/*`, to)
        return said.accepted ? undefined : said.because
      },
      evidence: (done) =>
        edge.as(kindOf(done - 1).host).post(`/${done - 1}/`, { json: { do: 'count' } })
    })
  }
})
