import { type Context, check, isOk, type Look, pairwise, type Reply, summary } from 'plimsoll'
import { fateOf } from '../_csp.ts'
import { isServed } from '../_reply.ts'
import { type Patience, patience } from '../detections/_browser.ts'
import { originServer } from '../detections/_origin.ts'

const allow = 'policy.semantics.allow-blocks'
const log = 'policy.semantics.log-reports-not-blocks'

/** A host that both policies allow, one that only logging does not, and one that none does. */
const [allowed, logged, other] = ['a.cdn.test', 'b.cdn.test', 'c.cdn.test']
const values = {
  allow: `script-src ${allowed} ${logged}`,
  log: `script-src ${allowed}`
}
const title = '<title>Plimsoll</title>'

/** What pages differ in, and the requests for them: no policy is about any of it. */
const dimensions = {
  plan: ['free', 'pro', 'business', 'enterprise'],
  host: ['own', 'below'],
  method: ['GET', 'POST', 'PUT'],
  status: [200, 201, 403, 404, 410],
  path: ['/', '/shop', '/shop/cart.html', '/Shop/Cart.php?item=1&item=2'],
  type: ['text/html', 'text/html; charset=utf-8', 'application/xhtml+xml'],
  framing: ['length', 'chunks'],
  kept: [true, false]
} as const

/** A fresh zone on a plan, once both policies are in force there; undefined where they are not. */
async function guarded(
  { management, edge, adapter }: Context,
  { plan, origin, once }: { plan: string; origin: string; once: Patience }
) {
  const zone = await adapter.zone(plan)
  const below = `www.${zone.host}`
  await adapter.origin(zone.id, origin)
  const path = `/zones/${zone.id}/page_shield`
  await management.put(path, { json: { enabled: true } })
  const expression = `http.host eq "${zone.host}" or http.host eq "${below}"`
  for (const [action, value] of Object.entries(values)) {
    const json = { description: 'Plimsoll', action, expression, enabled: 'true', value }
    if (!isServed(await management.post(`${path}/policies`, { json }))) return undefined
  }
  const clients = { own: edge.as(zone.host), below: edge.as(below) }
  const hosts = { own: zone.host, below }
  const page = await once(
    () => clients.own.get('/first'),
    (reply) => Object.values(asSaid(reply, zone.host)).every(Boolean)
  )
  return isOk(page) ? { clients, hosts } : undefined
}

/** Whether a page makes of scripts what each policy says. */
function asSaid(reply: Reply, host: string) {
  const page = `http://${host}/`
  const fate = (name: string) => fateOf(reply, { page, script: `http://${name}/a.js` })
  return {
    [allow]: !fate(allowed!).isBlocked && fate(other!).isBlocked,
    [log]: !fate(logged!).isBlocked && fate(logged!).reports > fate(allowed!).reports
  }
}

export default check({
  title: 'Whichever page of a zone is asked for, and however, its policies are for its scripts',
  clauses: [allow, log],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    let page = { status: 200, type: 'text/html', isKept: false, isChunked: false }
    await using origin = await originServer(() => ({ ...page, body: `<!doctype html>${title}` }))
    const zones = new Map<string, Awaited<ReturnType<typeof guarded>>>()
    const once = patience()
    for (const plan of dimensions.plan)
      zones.set(plan, await guarded(context, { plan, origin: origin.url, once }))
    const looks: { [clause: string]: Look[] } = { [allow]: [], [log]: [] }
    for (const [n, one] of pairwise(dimensions, context).entries()) {
      const zone = zones.get(one.plan)
      const { status, type, kept: isKept, framing } = one
      page = { status, type, isKept, isChunked: framing === 'chunks' }
      // What may be kept is asked for again, by a name that nothing was kept by before.
      const [path, query] = one.path.split('?')
      const target = `${path === '/' ? '/' : `/${n}${path}`}${query ? `?${query}` : ''}`
      const method = isKept ? 'get' : (one.method.toLowerCase() as 'get' | 'post' | 'put')
      for (const time of isKept ? ['first', 'then', 'again'] : ['first']) {
        const reply = await zone?.clients[one.host][method](target)
        // That hosts below its own are a zone's is not said, nor what is passed on as it came.
        if (reply?.status !== status || !reply.body.includes(title)) continue
        const asked = `${method} of ${Object.values(one).join(', ')}, ${time}`
        for (const [clause, holds] of Object.entries(asSaid(reply, zone!.hosts[one.host])))
          looks[clause]!.push({ asked, holds, saw: holds ? 'as it says' : 'otherwise', reply })
      }
    }
    for (const [clause, some] of Object.entries(looks)) {
      const found = summary(some)
      if (found) context.verify(clause, ...found)
    }
  }
})
