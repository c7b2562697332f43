import { check, pairwise } from 'plimsoll'
import { actionsIn, offerFor, plans, scoreOverride } from './_owasp.ts'

const direct = 'waf-migration.mapping.owasp-action-direct'
const simulate = 'waf-migration.mapping.owasp-simulate-to-log'

/** What each action is to be called; services have several kinds of challenge. */
const mapped = { block: /^block$/, challenge: /challenge/, simulate: /^log$/ }

export default check({
  title: 'The action of the OWASP package stays what it is, but for Simulate, which becomes Log',
  clauses: [direct, simulate],
  needs: ['management', 'disposableZone', 'previousWaf'],
  async run(context) {
    const actions = Object.keys(mapped) as (keyof typeof mapped)[]
    const sensitivities = ['high', 'medium', 'low', 'default'] as const
    const given = pairwise({ action: actions, sensitivity: sensitivities, plan: plans }, context)
    for (const { action, sensitivity, plan } of given) {
      const name = mapped[action]
      const offer = await offerFor(context, { action, sensitivity }, plan)
      if (offer === undefined) continue
      const score = scoreOverride(offer.configuration)?.action
      const actions = score === undefined ? actionsIn(offer.configuration) : [`${score}`]
      // Blocking is what rulesets do unless they are told otherwise.
      const holds =
        actions.length === 0 ? action === 'block' : actions.every((one) => name.test(one))
      const saw = `${action} on ${plan} becomes ${actions.join(' and ') || 'the default'}`
      context.verify(action === 'simulate' ? simulate : direct, { holds, saw }, offer.reply)
    }
  }
})
