import { isOk, type Look, matrix, summary } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { attacks } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { leaveOwasp } from './_previous-api.ts'
import { isStopped, type Site, site, siteNeeds } from './_stage.ts'

const direct = 'waf-migration.mapping.owasp-action-direct'
const simulate = 'waf-migration.mapping.owasp-simulate-to-log'

/** What the new WAF does in place of each action; services have several kinds of challenge. */
const acts = { block: /^block$/, challenge: /challenge/, simulate: /^log$/ }

export default edgeCheck({
  title: 'What the OWASP package does to an attack the new OWASP ruleset does, by the same action',
  clauses: [direct, simulate],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const { management, adapter, edge, verify } = context
    const looks: (Look & { clause: string })[] = []
    /** Sends everything at once, which no sensitivity lets pass; what was done by a WAF. */
    const attacked = async (on: Site, { path, source }: { path: string; source: string }) => {
      const query = new URLSearchParams(Object.entries(attacks))
      const reply = await edge.as(on.zone.host).get(`${path}?${query}`)
      const events = await adapter.securityEvents(on.zone.id)
      const own = events.filter((one) => one.source === source && one.path === path)
      return { reply, actions: own.map(({ action }) => action) }
    }
    const actions = Object.keys(acts) as (keyof typeof acts)[]
    for (const { action, sensitivity } of matrix({
      action: actions,
      sensitivity: ['high', 'medium'] as const
    })) {
      const on = await site(context, {
        ...{ plan: 'pro', enabled: true },
        owasp: { action, sensitivity }
      })
      await leaveOwasp(management, on)
      const before = await attacked(on, { path: '/before', source: 'previous-waf' })
      const proposal = await on.proposal()
      if (proposal === undefined || !isServed(await on.migrate('pending', proposal))) continue
      const { reply, actions } = await attacked(on, { path: '/after', source: 'waf' })
      // What comes to no threshold shows no action; where either lies is not all said.
      if (before.actions.length === 0 || actions.length === 0) continue
      const isLet = action === 'simulate'
      const isSo = (one: typeof reply) => (isLet ? isOk(one) : isStopped(one))
      const holds =
        isSo(before.reply) && isSo(reply) && actions.every((one) => acts[action].test(one))
      const saw = `before ${before.reply.because}, after ${reply.because} (${actions})`
      const clause = isLet ? simulate : direct
      looks.push({ clause, asked: `${action} at ${sensitivity}`, holds, saw, reply })
    }
    for (const clause of [direct, simulate]) {
      const found = summary(looks.filter((look) => look.clause === clause))
      if (found) verify(clause, ...found)
    }
  }
})
