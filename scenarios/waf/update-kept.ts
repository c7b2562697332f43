import { check, type Look, summary } from 'plimsoll'
import { type Item, isItem, isServed, item, quoted } from '../_reply.ts'
import { type Configuration, configurationIn, entrypoint, executing, stage } from './_stage.ts'
import { stripped } from './_stripped.ts'

const clause = 'waf-migration.update-entrypoint'

/** Updates one after another, by what is sent with them: nothing is, once a zone has migrated. */
const courses: { [plan: string]: string[] } = {
  pro: ['pending', ''],
  business: ['1', '', ''],
  enterprise: ['validation', 'validation', '2', 'pending', '']
}

/** The same rules, so that nothing but this update has them. */
function marked({ name, rules }: Configuration, nth: number): Configuration {
  const mark = { description: `update ${nth}`, enabled: nth % 2 === 0 }
  const expression = `http.request.uri.path eq "/${nth}"`
  return { name, rules: rules.map((rule) => ({ ...rule, ...mark, expression })) }
}

/** Whether rules are those that were sent, in what says which they are and what they do. */
function areThose(rules: unknown, { rules: sent }: Configuration): boolean {
  const of = ({ action, description, enabled, expression, action_parameters }: Item) =>
    JSON.stringify([action, description, enabled, expression, action_parameters?.id])
  if (!Array.isArray(rules) || rules.length !== sent.length) return false
  return rules.every((rule, at) => isItem(rule) && of(rule) === of(sent[at]!))
}

export default check({
  title: 'Whatever update of the entry point is served, what it sent is what is there then',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const looks: Look[] = []
    for (const [plan, course] of Object.entries(courses)) {
      const on = await stage(context, plan)
      const offered = configurationIn(await on.config())
      if (offered === undefined) continue
      for (const [nth, mode] of course.entries()) {
        const sent = stripped(marked(executing(offered), nth))
        const update = mode === '' ? await on.deploy(sent) : await on.migrate(mode, sent)
        const read = await context.management.get(`${on.path}/${entrypoint}`)
        // What may be sent again, and whether there is such a read, is the matter of others.
        if (!isServed(update) || !isServed(read)) continue
        const { rules } = item(read)
        const asked = `${plan}: ${course.slice(0, nth + 1).join(', ')}`
        looks.push({ asked, holds: areThose(rules, sent), saw: quoted(rules), reply: read })
      }
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
