import type { Client, Context, Judge, Reply } from 'plimsoll'
import type { SecurityEvent } from '../_security-event.ts'
import type { Patience } from '../detections/_browser.ts'
import type { settle } from './_account.ts'
import { isLimited, methods } from './_crowd.ts'
import { zonePlans } from './_plan.ts'

/** Clauses about how a request is refused beyond a minute. */
export const refusals = {
  page: 'error.1015-page',
  status: 'error.1015-http-429',
  event: 'error.1015-security-event'
}

// With which status is the matter of another clause.
const isRefused = ({ status }: Reply) => status >= 400

/** Clauses that say at which places a minute of the account is used up as well. */
export const everywhere = ['rate.free.account-level', 'rate.free.shared-subdomain-counts'] as const

/**
 * Where an account whose minute is used up is asked once more, by which clause it is so there;
 * `id` where events can be read.
 */
type Place = { name: string; clause: string; client: Client; id?: string }

/** Places of every kind that were not asked before. */
export async function placesOf(account: Awaited<ReturnType<typeof settle>>): Promise<Place[]> {
  const { shared, sharedZone, zone } = account
  const [ofZones, ofSubdomain] = everywhere
  const zones = zonePlans.map(async (plan, at) => {
    // What becomes of a route beyond the day says nothing of a minute.
    const mode = at % 2 === 0 ? 'open' : 'closed'
    return { name: `${plan}, fail-${mode}`, clause: ofZones, ...(await zone(plan, mode)) }
  })
  const subdomain = { name: 'the shared subdomain', clause: ofSubdomain, id: sharedZone }
  return [{ ...subdomain, client: shared }, ...(await Promise.all(zones))]
}

/** Asks a place as a browser does, and by every method. */
export async function askedAt(place: Place) {
  const page = await place.client.get('/page', { headers: { accept: 'text/html' } })
  const replies = new Map([['GET as a browser', page]])
  for (const method of methods) replies.set(method, await place.client.ask(method, '/'))
  return { ...place, replies }
}

type Asked = Awaited<ReturnType<typeof askedAt>>

/** Judges by some clauses that no method has a minute of its own, by theirs that no place has. */
export function judgeEverywhere(
  { verify }: Judge,
  { others, clauses }: { others: readonly Asked[]; clauses: readonly string[] }
) {
  const all = others.flatMap(({ name, clause, replies }) =>
    [...replies].map(([way, reply]) => ({ name, clause, way, reply }))
  )
  for (const by of ['name', 'way'] as const)
    for (const [one, asked] of Map.groupBy(all, (each) => each[by])) {
      // Who gives back bit by bit may serve a few of them.
      const holds = asked.some(({ reply }) => isRefused(reply))
      const { reply, clause } = asked.at(-1)!
      const saw = `${one}: beyond a minute of the account ${reply.because}`
      for (const told of by === 'way' ? clauses : [clause]) verify(told, { holds, saw }, reply)
    }
}

/** By which method a way asks, whether as a browser, and for what. */
function partsOf(way: string) {
  const isBrowser = way.includes('browser')
  return { method: way.split(' ')[0]!, isBrowser, path: isBrowser ? '/page' : '/' }
}

/** The events of requests that a way asked for. */
function eventsOf(way: string, events: readonly SecurityEvent[]): readonly SecurityEvent[] {
  const { method, path } = partsOf(way)
  return events.filter((one) => one.method === method && one.path === path)
}

/** Judges how requests are refused at a place; `once` waits for events where these come late. */
export async function judgeRefusals(
  { adapter, verify }: Context & Judge,
  { name, id, replies }: Asked,
  once: Patience
) {
  const refused = [...replies].filter(([, reply]) => isRefused(reply))
  const isTold = (events: readonly SecurityEvent[]) =>
    refused.every(([way]) => eventsOf(way, events).length > 0)
  const events = id === undefined ? undefined : await once(() => adapter.securityEvents(id), isTold)
  for (const [way, reply] of refused) {
    const asked = `${way}, ${name}`
    const { method, isBrowser } = partsOf(way)
    // What answers HEAD has no page.
    const names = reply.body.includes('1015') ? 'names' : 'does not name'
    const shown = `${asked}: the page ${names} 1015`
    if (method !== 'HEAD') verify(refusals.page, { holds: names === 'names', saw: shown }, reply)
    const told = `${asked}: ${reply.because}`
    if (!isBrowser) verify(refusals.status, { holds: isLimited(reply), saw: told }, reply)
    if (events === undefined) continue
    const own = eventsOf(way, events).map(({ ruleId }) => ruleId)
    const rules = [...new Set(own)].join(', ') || 'none'
    const named = `${asked}: security events by the rules ${rules}`
    verify(refusals.event, { holds: rules === 'worker', saw: named }, reply)
  }
}
