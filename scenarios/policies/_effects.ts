import type { Context, Reply } from 'plimsoll'
import { fateOf } from '../_csp.ts'
import { draft, type Policy, withPolicy } from '../_policy.ts'
import { browsers, patience } from '../detections/_browser.ts'

/** The host that a policy allows unless it is changed, and one that no policy allows. */
export const [own, outside] = ['cdn.example.test', 'outside.example.test'] as const
const html = '<!doctype html><title>Plimsoll</title><p>A page with policies.</p>'

type Change = Partial<Policy>

/** A fresh zone with a page, and what becomes of scripts on it while a policy is there. */
export async function stage(context: Context) {
  const { management, edge, adapter, random } = context
  const zone = await adapter.zone('enterprise')
  await adapter.page(zone.id, html)
  await management.put(`/zones/${zone.id}/page_shield`, { json: { enabled: true } })
  const origin = `${new URL(edge.url).protocol}//${zone.host}`
  const address = (script: string) => new URL(script, origin).href
  const fate = (reply: Reply, script: string) =>
    fateOf(reply, { page: origin, script: address(script) })
  const visit = (path = '/') => edge.as(zone.host).get(path)
  const bare = await visit()
  /** Whether a page treats a script that no policy allows otherwise than without a policy. */
  const isApplied = (reply: Reply) => {
    const [after, before] = [fate(reply, `//${outside}/`), fate(bare, `//${outside}/`)]
    return after.isBlocked || after.reports > before.reports
  }
  // How soon a policy is in force, or no longer, is not said.
  const once = patience()

  return {
    address,
    fate,
    bare,
    isApplied,
    /** The page at each path while a policy is there that differs from the usual in this. */
    async under(change: Change, ...paths: string[]): Promise<Reply[]> {
      const usual = { action: 'allow', enabled: 'true', value: `script-src ${own}` }
      const everywhere = `http.host eq "${zone.host}"`
      const policy = { ...draft(random), ...usual, expression: everywhere, ...change }
      const replies: Reply[] = []
      await withPolicy({ management, zone: zone.id, policy }, async () => {
        const [first, ...others] = paths
        const isDue = (reply: Reply) => isApplied(reply) === (String(policy.enabled) === 'true')
        replies.push(await once(() => visit(first), isDue))
        for (const path of others) replies.push(await visit(path))
      })
      await once(
        () => visit(paths[0]),
        (reply) => !isApplied(reply)
      )
      return replies
    },
    /** Posts what browsers report of a page to wherever its headers say; the answers. */
    async reported(reply: Reply, blocked: string): Promise<Reply[]> {
      const header = reply.headers['content-security-policy-report-only'] ?? ''
      const addresses = [...header.matchAll(/\breport-uri\s+([^\s;,]+)/gi)].map(([, to]) => to!)
      const own = addresses.filter((to) => new URL(to, origin).origin === origin)
      const met = { page: '/', blocked: address(blocked), directive: 'script-src-elem' }
      return Promise.all(own.map((to) => browsers(context, zone).report(to, met)))
    }
  }
}

/** What `stage` resolves to. */
export type Stage = Awaited<ReturnType<typeof stage>>

/** How scripts fare, in words. */
export function outcomes({ fate }: Stage, reply: Reply, scripts: string[]): string {
  const words = scripts.map((script) => {
    const { isBlocked, reports } = fate(reply, script)
    return `${script} ${isBlocked ? 'blocked' : 'runs'}, reported by ${reports}`
  })
  return words.join('; ')
}
