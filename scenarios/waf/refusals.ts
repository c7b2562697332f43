import { type Context, check, type Look, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, isTurnedDown, quoted } from '../_reply.ts'
import { partsOf } from './_previous-api.ts'
import { configurationIn, entrypoint, stage } from './_stage.ts'

const clause = 'error.management-envelope'

export default check({
  title: 'What either WAF cannot do fails in the envelope, and is no defect of the service',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const looks: Look[] = []
    // What is one plan's is not every plan's.
    for (const plan of ['pro', 'enterprise']) looks.push(...(await refusalsOn(context, plan)))
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})

/** How a zone on a plan turns down what it cannot do, before its migration and after it. */
async function refusalsOn(context: Context, plan: string): Promise<Look[]> {
  const { management, random } = context
  const on = await stage(context, plan)
  const [paths, offered] = [
    await partsOf(management, on.zone.id),
    configurationIn(await on.config())
  ]
  if (paths === undefined || offered === undefined) return []
  const unknown = (path: string) => path.replace(/[^/]+$/, freshId(random))
  const { groups, rules } = paths
  const [rule] = offered.rules
  const broken = (change: object) => ({ name: 'Plimsoll', rules: [{ ...rule, ...change }] })
  const nothing = { action_parameters: { id: freshId(random) } }
  const reads = [
    ...[paths.package, paths.group, paths.rule].map(unknown),
    ...[groups, rules].map((path) => path.replace(/[^/]+(?=\/[^/]+$)/, freshId(random))),
    `${on.path}/rulesets/${freshId(random)}`
  ]
  const replies = [
    ...(await Promise.all(reads.map((path) => management.get(path)))),
    await management.delete(`${on.path}/firewall/waf/overrides/${freshId(random)}`),
    ...(await Promise.all(
      [paths.group, paths.rule].map((path) =>
        management.patch(unknown(path), { json: { mode: 'off' } })
      )
    )),
    await on.update('pending', broken(nothing)),
    await on.update('pending', broken({ expression: 'http.host eq' })),
    await on.update('pending', { name: 'Plimsoll' })
  ]
  const looks: Look[] = []
  const look = (reply: (typeof replies)[number]) => {
    const { success, errors } = reply.json ?? {}
    // What is taken nevertheless is none of this clause's.
    if (isServed(reply) || !isTurnedDown(reply)) return
    const holds = reply.status < 500 && success === false && errors?.length > 0
    const { method, url } = reply.request
    const saw = `${reply.because}, errors ${quoted(errors)}`
    looks.push({ asked: `${method} ${new URL(url).pathname.slice(-60)}`, holds, saw, reply })
  }
  for (const reply of replies) look(reply)
  if (isServed(await on.migrate('pending', offered))) {
    for (const path of Object.values(paths)) look(await management.get(path))
    look(await on.update('validation', offered))
    look(await on.deploy(broken(nothing)))
    look(await management.get(`${on.path}/${entrypoint.replace('managed', 'nothing')}`))
  }
  return looks
}
