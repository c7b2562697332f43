import { type Context, check, isAnswered, type Judge } from 'plimsoll'
import { canonical, isServed, item } from '../_reply.ts'
import { type Parts, partsOf } from './_previous-api.ts'
import { type Configuration, configurationIn, entrypoint, type Stage, stage } from './_stage.ts'

const stop = 'waf-migration.after.iac-resources-stop'
const instead = 'waf-migration.after.iac-ruleset-resource'

/** What such a resource does when it is applied: it reads a part, and sets its mode. */
const changes = {
  package: { sensitivity: 'low' },
  group: { mode: 'on' },
  rule: { mode: 'on' }
}

/** The ruleset resource writes the entry point, and finds it again as it wrote it. */
async function judgeRuleset(
  { management, verify }: Context & Judge,
  { on, configuration }: { on: Stage; configuration: Configuration }
) {
  const description = 'Plimsoll: written by a resource'
  const rules = configuration.rules.map((rule) => ({ ...rule, description }))
  const before = await management.get(`${on.path}/${entrypoint}`)
  const put = await on.deploy({ name: configuration.name, rules })
  const get = await management.get(`${on.path}/${entrypoint}`)
  const found: unknown = item(get).rules
  // Where nothing came of it, the entry point is not managed by anyone.
  if (isServed(get) && canonical(found) === canonical(item(before).rules)) return
  const isFound = Array.isArray(found) && found.length === rules.length
  const holds = isFound && found.every((rule) => rule?.description === description)
  const likeness = holds ? 'as written' : 'not as written'
  const saw = `written: ${put.because}; read again: ${get.because}, ${likeness}`
  verify(instead, { holds: isServed(put) && holds, saw }, put, get)
}

export default check({
  title: 'What an infrastructure-as-code provider would do works by rulesets only',
  clauses: [stop, instead],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, verify } = context
    const on = await stage(context, 'pro')
    const paths = await partsOf(management, on.zone.id)
    const configuration = configurationIn(await on.config())
    if (paths === undefined || configuration === undefined) return
    const update = await on.migrate('pending', configuration)
    if (!isServed(update)) return
    for (const [part, json] of Object.entries(changes)) {
      const path = paths[part as keyof Parts]
      const reply = await management.patch(path, { json })
      const saw = `a change of a ${part}: ${reply.because}`
      verify(stop, { holds: isAnswered(reply) && !isServed(reply), saw }, reply)
    }
    await judgeRuleset(context, { on, configuration })
  }
})
