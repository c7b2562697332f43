import { type Look, summary } from 'plimsoll'
import { type Item, isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { type Found, managed, told } from './_managed.ts'
import { siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.skip-rules-needed'

const idOf = ({ action_parameters: parameters }: Item) => `${parameters?.id}`
const isBy = ({ events }: Found, id: string) => events.some(({ rulesetId }) => rulesetId === id)

export default edgeCheck({
  title:
    'A skip rule makes an exception of what it names, where its expression says, and of no more',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const zone = await managed(context)
    if (zone === undefined || zone.rules.length === 0) return
    const looks: Look[] = []
    const skip = (action_parameters: object, more: Item = {}) => ({
      ...{ action: 'skip', action_parameters, enabled: true },
      ...{ description: 'Plimsoll: an exception', expression: '' },
      ...more
    })
    const expression = 'starts_with(http.request.uri.path, "/skipped/")'
    for (const rule of zone.rules) {
      const own = idOf(rule)
      const isTelling =
        (await zone.deploy([rule])) && (await zone.attacked()).some((one) => isBy(one, own))
      if (!isTelling) continue
      // An exception may be of several, in whatever order.
      const rulesets = [...zone.rules.map(idOf).filter((id) => id !== own), own]
      const named = skip({ rulesets }, { expression })
      const all = skip({ ruleset: 'current' }, { expression })
      const idle = { ...all, enabled: false }
      /** By rules: whether the ruleset finds something at the place of the exception. */
      const ways: [asked: string, rules: Item[], isFound: boolean][] = [
        ['no exception', [rule], true],
        ['an exception of this ruleset and of others', [named, rule], false],
        ['an exception of everything', [all, rule], false],
        ['an exception behind the ruleset', [rule, all], true],
        ['an exception that is not enabled', [idle, rule], true],
        [
          'an exception of another ruleset',
          [skip({ rulesets: ['0'.repeat(32)] }, { expression }), rule],
          true
        ]
      ]
      for (const [asked, rules, isFound] of ways) {
        const reply = await zone.on.deploy({ name: 'Plimsoll', rules })
        // How an exception names rulesets is nowhere said.
        if (!isServed(reply)) continue
        const [at, elsewhere] = [await zone.attacked('/skipped/'), await zone.attacked('/')]
        for (const [nth, found] of at.entries()) {
          const other = elsewhere[nth]!
          if (!isBy(other, own) && asked === 'no exception') continue
          const holds = isBy(found, own) === (isFound && isBy(other, own))
          const saw = `there ${told(found)}; elsewhere ${told(other)}`
          looks.push({ asked: `${asked}, ${found.attack}`, holds, saw, reply })
        }
        const isSpared = elsewhere.every(({ events }) => events.length === 0)
        const saw = isSpared ? 'nothing is found elsewhere' : 'attacks are found elsewhere'
        looks.push({ asked, holds: !isSpared, saw, reply })
      }
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
