import { check, type Look, summary } from 'plimsoll'
import { mirror, nameOf } from './_mirror.ts'
import { answered } from './_mute.ts'

const clause = 'functions.ways'

export default check({
  title: 'Routes, a custom domain and the shared subdomain each lead to their own function',
  clauses: [clause],
  // Where the edge serves others, a way on which no answer ever comes leads nowhere.
  expectedReplies: ['timeout'],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain', 'remove'],
  async run(context) {
    const { adapter, edge, verify } = context
    const { id: account } = await adapter.account('standard')
    const placed = async (name: string) => {
      const said = await adapter.deploy({ account, name, source: mirror, env: { NAME: name } })
      if (!said.accepted) throw new Error(`${name} was refused: ${said.because}`)
      return said
    }
    const [one, two, three] = [await placed('one'), await placed('two'), await placed('three')]
    const [zone, other] = [
      await adapter.zoneOf(account, 'pro'),
      await adapter.zoneOf(account, 'free')
    ]
    const looks: Look[] = []
    const look = async (host: string, path: string, name: string) => {
      // Who is mute on one way has been waited for long enough.
      if (looks.some(({ reply }) => reply.kind === 'timeout')) return
      const reply = await answered(() => edge.as(host).get(path))
      const [asked, saw] = [`${host}${path}`, `answered by ${nameOf(reply)}, and not ${name}`]
      const holds = nameOf(reply) === name
      looks.push({ asked, holds, saw: holds ? name : saw, reply })
    }
    const routes = { [`${zone.host}/one/*`]: one, [`${zone.host}/two/*`]: two }
    for (const [pattern, { id }] of Object.entries(routes))
      await adapter.route(zone.id, pattern, { function: id })
    const domains = { two: `two.${zone.host}`, three: `three.${zone.host}` }
    await adapter.customDomain(two.id, domains.two)
    await adapter.customDomain(three.id, domains.three)
    // Before it leads anywhere, and on every way there is to the second.
    await look(`late.${zone.host}`, '/', 'no function')
    const everyWay = async (name: string) => {
      for (const host of [two.host, domains.two]) await look(host, '/', name)
      await look(zone.host, '/two/a?b', name)
    }

    for (const { host } of [one, three]) await look(host, '/', host.split('.')[0]!)
    await everyWay('two')
    await look(zone.host, '/one/a', 'one')
    await look(domains.three, '/one/a', 'three')
    for (const path of ['/', '/other/one/']) await look(zone.host, path, 'no function')
    await look(other.host, '/one/a', 'no function')
    // The same route and domain given to another function, and a new domain.
    await adapter.route(zone.id, `${zone.host}/one/*`, { function: three.id })
    await look(zone.host, '/one/a', 'three')
    const moved = await adapter.customDomain(one.id, domains.three)
    if (moved.accepted) await look(domains.three, '/one/a', 'one')
    await adapter.customDomain(three.id, `late.${zone.host}`)
    await look(`late.${zone.host}`, '/', 'three')
    // A function deployed anew, and one that is gone.
    await adapter.deploy({ account, name: 'two', source: mirror, env: { NAME: 'two, anew' } })
    await everyWay('two, anew')
    await look(three.host, '/', 'three')
    await adapter.remove(two.id)
    await everyWay('no function')
    await look(zone.host, '/one/a', 'three')
    const seen = summary(looks)
    if (seen) verify(clause, ...seen)
  }
})
