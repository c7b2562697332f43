import { attacks } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { managed } from './_managed.ts'
import { paranoiaLevel } from './_owasp.ts'
import { scoredRule, scoreOf } from './_score.ts'
import { siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.rulesets-api-manages'

const levels = [1, 2, 3, 4]

export default edgeCheck({
  title:
    'A paranoia level that is off counts nothing, and what the levels count adds up to a score',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const zone = await managed(context)
    const rule = zone && scoredRule(zone)
    // Where levels have another place in a configuration nothing can be said of them.
    if (!rule || paranoiaLevel(zone.offered) === undefined) return
    const { id, overrides } = rule.action_parameters
    const texts = Object.values(attacks)
    /** The score of a request with every attack, while these levels are off. */
    const without = (off: readonly number[], below?: number) => {
      const named = off.map((level) => `paranoia-level-${level}`)
      const categories = named.map((category) => ({ category, enabled: false }))
      const action_parameters = { id, overrides: { ...overrides, categories } }
      return scoreOf(context, { zone, rule: { ...rule, action_parameters }, texts, below })
    }
    const all = await without([])
    if (all === undefined) return
    if (all.score === 0) {
      // Of every attack that a textbook has, the strictest threshold and level find nothing.
      const saw = 'a ruleset that adds up scores is deployed, and nothing has any'
      return context.verify(clause, { holds: false, saw }, all.reply)
    }
    const none = await without(levels, all.score + 1)
    if (none === undefined) return
    const alone: number[] = []
    for (const level of levels) {
      const others = levels.filter((one) => one !== level)
      alone.push((await without(others, all.score + 1))?.score ?? 0)
    }
    // A rule is of one level, so each point of a score is counted by exactly one of them.
    const sum = alone.reduce((one, other) => one + other, 0)
    const holds = sum === all.score && none.score === 0
    const saw = `levels ${alone.join(', ')}; all ${all.score}, all off ${none.score}`
    context.verify(clause, { holds, saw }, all.reply, none.reply)
  }
})
