import { check, pairwise, type Reply } from 'plimsoll'
import { offerFor, paranoiaLevel, plans, rulesByLevel, scoreOverride } from './_owasp.ts'

const setsPl2 = 'waf-migration.mapping.sets-pl2'
const clauseOf = (sensitivity: string) => `waf-migration.mapping.sensitivity.${sensitivity}`

/** The document's table: paranoia level, and the score from which a request is an attack. */
const table = {
  high: { level: 2, threshold: 40 },
  medium: { level: 1, threshold: 25 },
  low: { level: 1, threshold: 40 },
  default: { level: 2, threshold: 40 }
}
const sensitivities = Object.keys(table) as (keyof typeof table)[]

export default check({
  title:
    'The sensitivity of the OWASP package becomes the paranoia level and threshold of the table',
  clauses: [...sensitivities.map(clauseOf), setsPl2],
  // The table puts two sensitivities at level 1, so a target cannot do what both of them say.
  observes: [setsPl2],
  needs: ['management', 'disposableZone', 'previousWaf'],
  async run(context) {
    const levels = new Set<string>()
    const replies: Reply[] = []
    const actions = ['block', 'simulate', 'challenge'] as const
    // A row holds whatever the action is, and on every plan.
    const settings = pairwise({ sensitivity: sensitivities, action: actions, plan: plans }, context)
    const asked = []
    for (const { sensitivity, action, plan } of settings) {
      const offer = await offerFor(context, { sensitivity, action }, plan)
      if (offer) asked.push({ sensitivity, plan, offer })
    }
    const isByCategory = asked.some(({ offer }) => paranoiaLevel(offer.configuration) !== undefined)
    const [any] = asked
    const byLevel = any && !isByCategory ? await rulesByLevel(context, any.offer) : undefined
    // Where levels and thresholds have a place, one that is not there is none of the table.
    const isShown = asked.some(
      ({ offer: { configuration } }) =>
        paranoiaLevel(configuration, byLevel) !== undefined &&
        scoreOverride(configuration) !== undefined
    )
    for (const { sensitivity, plan, offer } of isShown ? asked : []) {
      const level = paranoiaLevel(offer.configuration, byLevel)
      const threshold = scoreOverride(offer.configuration)?.score_threshold
      const { [sensitivity]: said } = table
      const holds = level === said.level && threshold === said.threshold
      const saw = `${sensitivity} on ${plan} becomes PL${level}, ${threshold} or higher`
      context.verify(clauseOf(sensitivity), { holds, saw }, offer.reply)
      levels.add(`${sensitivity} PL${level}`)
      replies.push(offer.reply)
    }
    const [first, ...rest] = replies
    const clash = 'the document says PL2 of all, and its table PL1 of medium and low'
    if (first)
      context.observe(setsPl2, `${[...levels].sort().join(', ')}; ${clash}`, first, ...rest)
  }
})
