import { check, matrix, type Reply } from 'plimsoll'
import { createTally } from '../_tally.ts'
import { browsers, patience, patiently, reporterOf } from '../detections/_browser.ts'
import { originServer } from '../detections/_origin.ts'
import { oneOf, zonePlans } from '../functions/_plan.ts'
import { allow, asSaid, guarded, log } from './_guarded.ts'

const detected = 'page-protection.detection.detected'
const body = '<!doctype html><title>Plimsoll</title>'

/** Pages that a function makes, by the end of their paths; each sets a cookie. */
const source = `
const made = {
  '/text': () => new Response('${body}'),
  '/stream': () => new Response(new Response('${body}').body),
  '/missing': () => new Response('${body}', { status: 404 }),
  '/own-policy': () =>
    new Response('${body}', { headers: { 'content-security-policy': "img-src 'self'" } })
}
export default {
  fetch({ url }) {
    const { pathname } = new URL(url)
    const response = made[pathname.slice(pathname.lastIndexOf('/'))]()
    response.headers.set('content-type', 'text/html')
    response.headers.append('set-cookie', 'made=1; Path=/')
    return response
  }
}`
const ends = ['/text', '/stream', '/missing', '/own-policy']

/** Whether it is the function that has answered. */
const isMade = ({ headers, body: text }: Reply) =>
  headers['set-cookie']?.includes('made=1') === true && text.includes(body)

export default check({
  title: 'A page that a function answers with is one of its zone, whose policies are for it',
  clauses: [allow, log, detected],
  tier: 'full',
  needs: ['management', 'edge', 'zone', 'origin', 'ownAccount', 'deploy', 'route', 'customDomain'],
  async run(context) {
    const { adapter } = context
    const { id: account } = await adapter.ownAccount()
    const zone = await adapter.zone(oneOf(zonePlans, context))
    await using origin = await originServer(() => ({ type: 'text/html', body }))
    await adapter.origin(zone.id, origin.url)
    const once = patience()
    const on = await guarded(context, { zone, once })
    // What is not in force where no function answers is the matter of others.
    const first = await on?.clients.own.get('/first')
    if (!on || !first || !Object.values(asSaid(first, zone.host)).every(Boolean)) return
    const said = await adapter.deploy({ account, name: 'pages', source })
    if (!said.accepted) return
    await adapter.route(zone.id, `${zone.host}/made/*`, { function: said.id })
    await adapter.customDomain(said.id, on.hosts.below)
    const tally = createTally()
    let watched = first
    for (const { end, host, method } of matrix({
      ...{ end: ends, host: ['own', 'below'] as const, method: ['get', 'post'] as const }
    })) {
      // Where functions run a policy may be in force later than elsewhere.
      const reply = await once(
        () => on.clients[host][method](`/made${end}`),
        (one) => !isMade(one) || Object.values(asSaid(one, on.hosts[host])).every(Boolean)
      )
      if (!isMade(reply)) continue
      const asked = `${method} of ${end} at the ${host === 'own' ? 'route' : 'custom domain'}`
      for (const [clause, holds] of Object.entries(asSaid(reply, on.hosts[host])))
        tally.add(clause, { asked, holds, saw: holds ? 'as it says' : 'otherwise', reply })
      if (reporterOf(reply) !== undefined) watched = reply
    }
    // How a target learns of cookies is not said; where no page is watched, by no page.
    if (watched !== first) {
      const { listed } = browsers(context, zone)
      const isThere = ({ all }: Awaited<ReturnType<typeof listed>>) =>
        all.some(({ name }) => name === 'made')
      // A target may have a share of the visits watched.
      const look = () => on.clients.own.get('/made/text').then(() => listed('cookies'))
      const seen = await patiently(look, isThere)
      const saw = `${seen.all.length} listed`
      const holds = isThere(seen)
      tally.add(detected, { asked: 'a cookie', holds, saw, reply: seen.replies[0]! })
    }
    tally.tell(context)
  }
})
