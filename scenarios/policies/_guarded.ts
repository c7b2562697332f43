import { type Context, isOk, type Reply } from 'plimsoll'
import { fateOf } from '../_csp.ts'
import { isServed } from '../_reply.ts'
import type { Zone } from '../_zone.ts'
import type { Patience } from '../detections/_browser.ts'

export const allow = 'policy.semantics.allow-blocks'
export const log = 'policy.semantics.log-reports-not-blocks'

/** A host that both policies allow, one that only logging does not, and one that none does. */
const [allowed, logged, other] = ['a.cdn.test', 'b.cdn.test', 'c.cdn.test']
const values = {
  allow: `script-src ${allowed} ${logged}`,
  log: `script-src ${allowed}`
}

/** Whether a page makes of scripts what each policy says. */
export function asSaid(reply: Reply, host: string) {
  const page = `http://${host}/`
  const fate = (name: string) => fateOf(reply, { page, script: `http://${name}/a.js` })
  return {
    [allow]: !fate(allowed!).isBlocked && fate(other!).isBlocked,
    [log]: !fate(logged!).isBlocked && fate(logged!).reports > fate(allowed!).reports
  }
}

/** Clients of a fresh zone once both policies are in force there; undefined where they are not. */
export async function guarded(
  { management, edge }: Context,
  { zone, once }: { zone: Zone; once: Patience }
) {
  const below = `www.${zone.host}`
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
