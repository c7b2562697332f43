import { type Arbitraries, check, generated, type Look } from 'plimsoll'
import { type Item, isBesideThePoint, isItem, isServed, item, quoted } from '../_reply.ts'
import { plans } from './_owasp.ts'
import { configurationIn, entrypoint, type Stage, stage } from './_stage.ts'

const clauses = [
  'waf-migration.after.iac-ruleset-resource',
  'waf-migration.after.rulesets-api-manages'
]

/** An entry point made by chance, of these managed rulesets, in the fields the document shows. */
function anyRuleset(any: Arbitraries, rulesets: string[]) {
  const hex = any.stringMatching(/^[0-9a-f]{32}$/)
  const words = any.string({ unit: any.constantFrom(...'aZ 09"\\é漢/<&'), maxLength: 20 })
  const path = any.stringMatching(/^\/[a-z/]{0,8}$/)
  const action = any.constantFrom('log', 'block')
  const overrides = any.uniqueArray(any.record({ id: hex, action, enabled: any.boolean() }), {
    maxLength: 3,
    selector: ({ id }) => id
  })
  const rule = any.record({
    action: any.constant('execute'),
    expression: path.map((one) => `http.request.uri.path eq "${one}"`),
    description: words,
    enabled: any.boolean(),
    action_parameters: any.record({
      id: any.constantFrom(...rulesets),
      overrides: any.record({ rules: overrides })
    })
  })
  return any.record({ name: words, rules: any.array(rule, { minLength: 1, maxLength: 4 }) })
}

/** Whether everything in one value is in another one, too, which may have more fields. */
function holds(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((one, at) => holds(whole[at], one))
    )
  if (!isItem(part)) return whole === part
  return isItem(whole) && Object.entries(part).every(([field, one]) => holds(whole[field], one))
}

export default check({
  title: 'The entry point of a migrated zone is found as it was written, and is its zone’s alone',
  clauses,
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, verify } = context
    const zones: Stage[] = []
    for (const plan of [...plans, 'free']) zones.push(await stage(context, plan))
    const offered = configurationIn(await zones[0]!.config())
    if (offered === undefined) return
    for (const zone of zones) if (!isServed(await zone.migrate('pending', offered))) return
    const read = ({ path }: Stage) => management.get(`${path}/${entrypoint}`)
    const rulesOf = async (zone: Stage) => JSON.stringify(item(await read(zone)).rules)
    const ids = offered.rules.flatMap(({ action_parameters: named }: Item) => named?.id ?? [])
    const found = await generated(context, {
      of: (any) => any.tuple(any.nat(zones.length - 1), anyRuleset(any, ids)),
      budget: { quick: 8, full: 100 },
      async ask([nth, sent]): Promise<Look | undefined> {
        const [on, other] = [zones[nth]!, zones[(nth + 1) % zones.length]!]
        const alone = await rulesOf(other)
        const update = await on.deploy(sent)
        if (isBesideThePoint(update)) return undefined
        const reply = await read(on)
        const { rules } = item(reply)
        const isAlone = (await rulesOf(other)) === alone
        const own = Array.isArray(rules) ? rules.map(({ id }) => id) : []
        const isNamed = own.every(Boolean) && new Set(own).size === own.length
        const isKept = holds(rules, sent.rules) && isNamed
        const elsewhere = isAlone ? '' : ', and another zone has changed'
        const saw = `${isKept ? 'as written' : quoted(rules)}${elsewhere}`
        return { asked: quoted(sent), holds: isKept && isAlone, saw, reply }
      }
    })
    if (found) for (const clause of clauses) verify(clause, ...found)
  }
})
