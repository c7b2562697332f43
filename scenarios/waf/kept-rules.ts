import {
  type Arbitraries,
  type Context,
  check,
  generated,
  type Look,
  type Reply,
  summary
} from 'plimsoll'
import {
  canonical,
  type Item,
  isBesideThePoint,
  isItem,
  isServed,
  item,
  quoted
} from '../_reply.ts'
import { plans } from './_owasp.ts'
import { configurationIn, entrypoint, type Stage, stage } from './_stage.ts'

const resource = 'waf-migration.after.iac-ruleset-resource'
const manages = 'waf-migration.after.rulesets-api-manages'

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

/** The rules that an answer tells, as one text. */
const told = (reply: Reply) => canonical(item(reply).rules)

/** The entry points by their ids, as the public rulesets API has them: each zone's, or nobody's. */
async function byId({ management }: Context, zones: readonly Stage[]): Promise<Look[]> {
  const looks: (Look & { isThere: boolean })[] = []
  for (const { path } of zones) {
    const usual = await management.get(`${path}/${entrypoint}`)
    const { id } = item(usual)
    if (id === undefined) continue
    const reply = await management.get(`${path}/rulesets/${id}`)
    const isThere = Array.isArray(item(reply).rules)
    const holds = isThere && told(reply) === told(usual)
    looks.push({ asked: 'an entry point by its id', holds, saw: reply.because, reply, isThere })
  }
  return looks.some(({ isThere }) => isThere) ? looks : []
}

export default check({
  title: 'The entry point of a migrated zone is found as it was written, and is its zone’s alone',
  clauses: [resource, manages],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, verify } = context
    const zones: Stage[] = []
    for (const plan of [...plans, 'free']) zones.push(await stage(context, plan))
    const offered = configurationIn(await zones[0]!.config())
    if (offered === undefined) return
    for (const zone of zones) if (!isServed(await zone.migrate('pending', offered))) return
    const read = ({ path }: Stage) => management.get(`${path}/${entrypoint}`)
    const ids = offered.rules.flatMap(({ action_parameters: named }: Item) => named?.id ?? [])
    const managed: Look[] = []
    const found = await generated(context, {
      of: (any) => any.tuple(any.nat(zones.length - 1), anyRuleset(any, ids)),
      budget: { quick: 8, full: 100 },
      async ask([nth, sent]): Promise<Look | undefined> {
        const [on, other] = [zones[nth]!, zones[(nth + 1) % zones.length]!]
        const before = await Promise.all([on, other].map(read))
        const update = await on.deploy(sent)
        if (isBesideThePoint(update)) return undefined
        const reply = await read(on)
        const [was, is] = [before, [reply, await read(other)]].map((replies) => replies.map(told))
        const asked = quoted(sent)
        // Where nothing came of it, that is not the fault of what was to be kept.
        const isTaken = was![0] !== is![0] || holds(item(reply).rules, sent.rules)
        const isAlone = was![1] === is![1]
        const others = `another zone ${isAlone ? 'as before' : 'changed'}`
        const saw = `${isTaken ? 'taken' : 'as before'}, ${others}`
        // What cannot be read shows nothing of whose it is.
        if (isServed(reply)) managed.push({ asked, holds: isTaken && isAlone, saw, reply })
        if (isServed(reply) && !isTaken) return undefined
        const { rules } = item(reply)
        const own = Array.isArray(rules) ? rules.map(({ id }) => id) : []
        const isNamed = own.every(Boolean) && new Set(own).size === own.length
        const isKept = holds(rules, sent.rules) && isNamed
        return { asked, holds: isKept, saw: isKept ? 'as written' : quoted(rules), reply }
      }
    })
    if (found) verify(resource, ...found)
    const looks = summary([...managed, ...(await byId(context, zones))])
    if (looks) verify(manages, ...looks)
  }
})
