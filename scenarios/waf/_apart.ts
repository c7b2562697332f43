import type { Context, Reply } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { type Configuration, executing, type Site, site } from './_stage.ts'

/** A zone whose two WAFs are asked apart, and what became of the update that made it so. */
export type Apart = {
  on: Site
  /** What the update sent. */
  sent: Configuration
  reply: Reply
  state: unknown
  isThere: boolean
}

/** A zone in validation mode: the previous WAF spares `/new/`, the new one sees only that. */
export async function apart(context: Context): Promise<Apart | undefined> {
  const on = await site(context, {
    plan: 'enterprise',
    enabled: true,
    pageRules: [{ url: '*/new/*', waf: 'off' }]
  })
  const proposal = await on.proposal()
  if (proposal === undefined) return undefined
  const { name, rules } = executing(proposal)
  const expression = 'starts_with(http.request.uri.path, "/new/")'
  const sent = { name, rules: rules.map((rule) => ({ ...rule, expression, enabled: true })) }
  const reply = await on.migrate('validation', sent)
  const state = await on.state()
  const isThere = isServed(reply) && state !== undefined && state !== 'start'
  return { on, sent, reply, state, isThere }
}
