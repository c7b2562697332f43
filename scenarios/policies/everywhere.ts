import { check, type Look, pairwise, summary } from 'plimsoll'
import { patience } from '../detections/_browser.ts'
import { type Answered, originServer } from '../detections/_origin.ts'
import { allow, asSaid, guarded, log } from './_guarded.ts'

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
  // A policy of the origin's own, which is about no script.
  own: [undefined, 'img-src *'],
  kept: [true, false]
} as const

export default check({
  title: 'Whichever page of a zone is asked for, and however, its policies are for its scripts',
  clauses: [allow, log],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    let page: Omit<Answered, 'body'> = { type: 'text/html' }
    await using origin = await originServer(() => ({ ...page, body: `<!doctype html>${title}` }))
    const zones = new Map<string, Awaited<ReturnType<typeof guarded>>>()
    const once = patience()
    for (const plan of dimensions.plan) {
      const zone = await context.adapter.zone(plan)
      await context.adapter.origin(zone.id, origin.url)
      zones.set(plan, await guarded(context, { zone, once }))
    }
    const looks: { [clause: string]: Look[] } = { [allow]: [], [log]: [] }
    for (const [n, one] of pairwise(dimensions, context).entries()) {
      const zone = zones.get(one.plan)
      const { status, type, kept: isKept, framing, own: policy } = one
      page = { status, type, isKept, isChunked: framing === 'chunks', policy }
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
