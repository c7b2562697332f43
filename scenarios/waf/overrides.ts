import { type Look, summary } from 'plimsoll'
import { type Item, isServed, item } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { type Found, type Managed, managed, overriding, told } from './_managed.ts'
import { siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.rulesets-api-manages'

/** The rule that stopped an attack, if one did. */
const stopping = ({ isStopped, events }: Found) => (isStopped ? events.at(-1)?.ruleId : undefined)

/** The override of a rule: of several each another, where what comes of all of them is the same. */
type Sets = (nth: number) => Item

/** What is overridden, and whether that has come of an attack that the rule stopped. */
type Override = { sets: Sets; isSo: (after: Found, rule: string) => boolean }

const overrides: { [name: string]: Override } = {
  'its action log': {
    sets: () => ({ action: 'log', enabled: true }),
    isSo: ({ events }, rule) => events.some((one) => one.ruleId === rule && one.action === 'log')
  },
  'enabled false': {
    sets: (nth) => ({ action: nth % 2 ? 'block' : 'log', enabled: false }),
    isSo: ({ events }, rule) => events.every(({ ruleId }) => ruleId !== rule)
  },
  'its action block': {
    sets: () => ({ action: 'block', enabled: true }),
    isSo: ({ events, isStopped }, rule) => isStopped && events.at(-1)?.ruleId === rule
  }
}

/** What came of attacks where these rules are overridden as said, and the others are not. */
function compared(
  found: { before: Found[]; after: Found[] },
  { asked, chosen, isSo }: Pick<Override, 'isSo'> & { asked: string; chosen: readonly string[] }
): Look[] {
  return found.after.flatMap((after, at): Look[] => {
    const stopped = stopping(found.before[at]!)
    if (stopped === undefined) return []
    const isOther = !chosen.includes(stopped)
    const holds = isOther ? stopping(after) === stopped : isSo(after, stopped)
    const said = `${after.attack}, ${isOther ? 'nothing' : asked} said of its rule`
    return [{ asked: said, holds, saw: told(after), reply: after.reply }]
  })
}

/** A ruleset that is executed at several places, at each with an override of its own. */
async function ofEachPlace(
  zone: Managed,
  rule: Item,
  { before, chosen }: { before: Found[]; chosen: readonly string[] }
): Promise<Look[]> {
  const places = Object.entries(overrides).map(([name, { sets, isSo }], at) => {
    const rules = chosen.map((id, nth) => ({ id, ...sets(nth) }))
    const below = `/place/${at}/`
    const expression = `starts_with(http.request.uri.path, "${below}")`
    return { name, isSo, below, rule: { ...overriding(rule, rules), expression } }
  })
  if (!(await zone.deploy(places.map((place) => place.rule)))) return []
  const looks: Look[] = []
  for (const { name, isSo, below } of places) {
    const after = await zone.attacked(below)
    looks.push(...compared({ before, after }, { asked: `${name} there alone`, chosen, isSo }))
  }
  return looks
}

/** A ruleset as a whole is overridden as the public rulesets API has it. */
async function ofAll(zone: Managed, rule: Item, before: Found[]): Promise<Look[]> {
  const looks: Look[] = []
  for (const [name, { sets: override }] of Object.entries(overrides)) {
    const sets = override(0)
    const { id, overrides } = rule.action_parameters
    const action_parameters = { id, overrides: { ...sets, ...overrides } }
    const reply = await zone.on.deploy({ name, rules: [{ ...rule, action_parameters }] })
    const [kept] = (item(reply).rules as Item[] | undefined) ?? []
    if (!isServed(reply) || kept?.action_parameters?.overrides?.action !== sets.action) continue
    // A rule with an override of its own heeds that.
    const own = overrides.rules.map((one: Item) => one.id)
    for (const [at, after] of (await zone.attacked()).entries()) {
      const stopped = stopping(before[at]!)
      if (stopped === undefined || own.includes(stopped)) continue
      const holds = sets.enabled
        ? after.events.some((one) => one.ruleId === stopped && one.action === sets.action)
        : after.events.length === 0
      const asked = `${after.attack}, ${name} said of all`
      looks.push({ asked, holds, saw: told(after), reply: after.reply })
    }
  }
  return looks
}

export default edgeCheck({
  title:
    'A rule of a managed ruleset does what an override of it says, and the others what they did',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const zone = await managed(context)
    if (zone === undefined) return
    const looks: Look[] = []
    for (const rule of zone.rules) {
      if (!(await zone.deploy([rule]))) continue
      const before = await zone.attacked()
      const own = new Set(before.flatMap((found) => stopping(found) ?? []))
      // Every other one of them, so that there are some of which nothing is said.
      const chosen = [...own].filter((_, at) => at % 2 === 0)
      for (const [asked, { sets, isSo }] of Object.entries(overrides)) {
        const rules = chosen.map((id, nth) => ({ id, ...sets(nth) }))
        const reply = await zone.on.deploy({ name: 'Plimsoll', rules: [overriding(rule, rules)] })
        if (!isServed(reply)) continue
        const after = await zone.attacked()
        looks.push(...compared({ before, after }, { asked, chosen, isSo }))
      }
      looks.push(...(await ofEachPlace(zone, rule, { before, chosen })))
      looks.push(...(await ofAll(zone, rule, before)))
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
