import { type Client, type Context, isOk, type Reply } from 'plimsoll'
import { fateOf } from '../_csp.ts'
import type { Policy } from '../_policy.ts'
import { isServed, item } from '../_reply.ts'

/** Hosts that scripts come from, and paths of pages; no policy need be about any of them. */
export const hosts = ['www.cdn.test', 'cdn.test', 'b.www.cdn.test', 'img.cdn.test'] as const
export const paths = ['/', '/pay', '/pay/card'] as const

/** A policy of which it is known what it means: for which pages, and the hosts that it allows. */
export type Meant = {
  action: 'log' | 'allow'
  enabled: 'true' | 'false' | boolean
  hosts: readonly string[]
  /** The paths it is about; empty for all of them. */
  paths: readonly string[]
}

/** A policy as it is sent, with another wording of the same expression for each action. */
function worded({ action, enabled, hosts, paths }: Meant, { host }: { host: string }): Policy {
  const about = paths.map((path) => `http.request.uri.path eq "${path}"`)
  const own = `http.host eq "${host}"`
  const sources = hosts.length > 0 ? hosts.join(' ') : "'none'"
  return {
    ...{ description: 'Plimsoll', action, enabled, value: `script-src ${sources}` },
    expression: about.length > 0 ? `${own} and (${about.join(' or ')})` : own
  }
}

/** Asks for pages, and knows which answers came first behind a change that was told. */
function visiting(client: Client) {
  const visits: { isFirst: boolean; reply: Reply }[] = []
  let isFirst = false
  return {
    visits,
    async visit(path: string): Promise<Reply> {
      const reply = await client.get(path)
      visits.push({ isFirst, reply })
      isFirst = false
      return reply
    },
    changed() {
      isFirst = true
    }
  }
}

/** A fresh zone with a page at every path, and policies that come and go. */
export async function pages({ management, edge, adapter }: Context) {
  const zone = await adapter.zone('enterprise')
  await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title><p>Pages.</p>')
  const all = `/zones/${zone.id}/page_shield/policies`
  const origin = `${new URL(edge.url).protocol}//${zone.host}`
  const { visits, visit, changed } = visiting(edge.as(zone.host))
  const bare = new Map<string, Reply>()
  for (const path of paths) bare.set(path, await visit(path))

  /** What becomes of a script of a host on a page: what the policies say, and what was seen. */
  function fate(policies: readonly Meant[], { path, host, reply }: Sight) {
    const violated = policies.filter(
      (one) =>
        String(one.enabled) === 'true' &&
        !one.hosts.includes(host) &&
        (one.paths.length === 0 || one.paths.includes(path))
    )
    const loading = { page: origin + path, script: `${origin.replace(zone.host, host)}/a.js` }
    const [before, seen] = [fateOf(bare.get(path)!, loading), fateOf(reply, loading)]
    const due = {
      isBlocked: before.isBlocked || violated.some(({ action }) => action === 'allow'),
      isReported: violated.some(({ action }) => action === 'log')
    }
    return { due, seen: { ...seen, isReported: seen.reports > before.reports } }
  }

  return {
    /** All visits so far, and which of them were the first behind a change of the policies. */
    visits,
    isServed: () => [...bare.values()].every(isOk),
    /** Creates a policy; its path, or nothing where it was refused. */
    async create(meant: Meant): Promise<string | undefined> {
      changed()
      const reply = await management.post(all, { json: worded(meant, zone) })
      const { id } = item(reply)
      return isServed(reply) && id !== undefined ? `${all}/${encodeURIComponent(id)}` : undefined
    },
    replace(path: string, meant: Meant) {
      changed()
      return management.put(path, { json: worded(meant, zone) })
    },
    remove(path: string) {
      changed()
      return management.delete(path)
    },
    /** In how many pages and scripts something else happens than the policies say; in words. */
    async odd(policies: readonly Meant[]): Promise<{ odd: string[]; reply: Reply }> {
      const odd: string[] = []
      let last = bare.get('/')!
      for (const path of paths) {
        const reply = await visit(path)
        last = odd.length > 0 ? last : reply
        for (const host of hosts) {
          const { due, seen } = fate(policies, { path, host, reply })
          const [is, should] = [seen, due].map(
            (one) => `${one.isBlocked ? 'blocked' : 'runs'}${one.isReported ? ', reported' : ''}`
          )
          if (is !== should) odd.push(`${host} at ${path}: ${is}, where ${should} is meant`)
        }
      }
      return { odd, reply: last }
    }
  }
}

type Sight = { path: string; host: string; reply: Reply }
