import { check, type Look, pairwise, summary } from 'plimsoll'
import { settle } from './_account.ts'
import { fetching, outcomeOf } from './_command.ts'
import { oneOf, paidPlans, zonePlans } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { openServer } from './_stage.ts'

const fails = 'error.same-zone-fetch-fails'
const allowed = 'error.custom-domain-fetch-allowed'
/** A status that only the other function answers with. */
const reached = 203
const query = (command: object) => new URLSearchParams({ command: JSON.stringify(command) })
const asked = query({ do: 'stream', bytes: 2, status: reached })
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD']

/** Before the zone's own host: routes that have the caller below `/`, and its custom domain. */
const callers = ['', 'a.', 'own.']
/** Likewise routes that have the other function at `/other`, and its custom domains. */
const places = { [fails]: ['', 'a.', 'b.a.'], [allowed]: ['other.', 'far.other.'] }
/** What is before a host in a URL, and behind it. */
const forms = [
  ['http://', ''],
  ['https://', ''],
  ['http://', ':8080'],
  ['https://', ':8443']
] as const

export default check({
  title: 'A fetch to another function on the same zone fails, unless it is on a custom domain',
  clauses: [fails, allowed],
  needs: [
    ...['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain'],
    ...['origin', 'reach']
  ],
  async run(context) {
    const { adapter, edge, verify } = context
    await using server = await openServer(context)
    // Behind the functions somebody answers at the same path: who gets there has not failed.
    const { origin } = new URL(server.channel('other').url())
    const own = await settle(context, oneOf(paidPlans, context))
    const { account } = own
    const other = await adapter.deploy({ account, name: 'other', source: probeSource() })
    if (!other.accepted) return
    const zones = new Map<string, string>()
    for (const plan of zonePlans) {
      const { id, host } = await own.zone(plan)
      zones.set(plan, host)
      await adapter.origin(id, origin)
      await adapter.route(id, `a.${host}/*`, { function: own.function })
      await adapter.customDomain(own.function, `own.${host}`)
      for (const at of places[fails])
        await adapter.route(id, `${at}${host}/other*`, { function: other.id })
      for (const at of places[allowed]) await adapter.customDomain(other.id, at + host)
    }
    // What is met in whatever form of a URL is met; who is not may have nobody listen there.
    const common = { plan: zonePlans, from: callers, method: methods }
    const ways = {
      [fails]: { ...common, at: places[fails], form: forms, isLed: [false, true] },
      [allowed]: { ...common, at: places[allowed], form: [forms[0]], isLed: [false] }
    }
    for (const clause of [fails, allowed] as const) {
      const looks: Look[] = []
      for (const { plan, from, method, at, form, isLed } of pairwise(ways[clause], context)) {
        const host = zones.get(plan)!
        const path = clause === fails ? '/other' : '/'
        // Without a function between them it is there: only then does a failure mean anything.
        const direct = await edge.as(at + host).get(`${path}?${asked}`)
        if (direct.status !== reached) continue
        const url = `${form[0]}${at}${host}${form[1]}${path}?${asked}`
        const lead = query({ do: 'stream', bytes: 2, status: 307, headers: { location: url } })
        const first = isLed ? `http://${places[allowed][0]}${host}/?${lead}` : url
        const reply = await edge.as(from + host).post('/', { json: fetching(first, { method }) })
        const outcome = outcomeOf(reply)
        if (outcome === undefined) continue
        const { ok, error } = outcome
        const isReached = ok?.status === reached
        const saw = isReached ? 'reached' : (error ?? `HTTP ${ok?.status}`)
        const holds = clause === allowed ? isReached : error !== undefined || ok?.status >= 400
        const way = `${plan}, from ${from}zone by ${method}${isLed ? ', led there,' : ''}`
        const to = `${form[0]}${at}zone${form[1]}${path}`
        looks.push({
          asked: `${way} to ${to}`,
          holds,
          saw,
          reply
        })
      }
      const seen = summary(looks)
      if (seen) verify(clause, ...seen)
    }
  }
})
