import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, type Look, type Reply, summary } from 'plimsoll'
import { type Item, isServed } from '../_reply.ts'
import type { SecurityEvent } from '../_security-event.ts'
import { patiently } from '../detections/_browser.ts'
import { attacks as kinds, sendTo } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { executing, isStopped, type Site, site, siteNeeds } from './_stage.ts'

const both = 'waf-migration.transition.validation-both-enabled'
const newFirst = 'waf-migration.transition.validation-new-runs-first'

/** So many rules of the new WAF may stop an attack, of which only the first shows each time. */
const mostRules = 12
/** How many times as long as the first event took another one may take. */
const lateBy = 1.5
const attack = { text: kinds['a script'], place: 'the query', method: 'get' } as const
const exception = {
  ...{ action: 'skip', action_parameters: { ruleset: 'current' }, enabled: true },
  ...{ description: 'Plimsoll: an exception', expression: 'true' }
}

/** What became of an attack, and what both WAFs did about it, in that order. */
type Attacked = { reply: Reply; acts: SecurityEvent[] }

const isOf = (source: string) => (act: SecurityEvent) => act.source === source
const [isNew, isPrevious] = [isOf('waf'), isOf('previous-waf')]

/** Attacks on a site. How late events are told is seen by the first one that is stopped. */
function attacks({ edge, adapter }: Context, { zone }: Site) {
  let lateMs: number | undefined
  return async (path: string): Promise<Attacked> => {
    const reply = await sendTo(edge.as(zone.host), path, attack)
    const began = performance.now()
    let looks = 0
    const look = async () => {
      looks++
      const events = await adapter.securityEvents(zone.id)
      return events.filter((one) => one.path === path && (isNew(one) || isPrevious(one)))
    }
    if (lateMs !== undefined) await sleep(lateMs)
    if (lateMs !== undefined || !isStopped(reply)) return { reply, acts: await look() }
    const acts = await patiently(look, (all) => all.length > 0)
    lateMs = looks === 1 || acts.length === 0 ? 0 : lateBy * (performance.now() - began)
    return { reply, acts }
  }
}

/** What was seen of an attack, in words. */
function seen(asked: string, { reply, acts }: Attacked) {
  const all = acts.map(({ source, action }) => `${source} ${action}`).join(', ') || 'no event'
  return { asked, saw: `${isStopped(reply) ? 'stopped' : 'let through'}: ${all}`, reply }
}

/** The same rules, which log what these rules of their rulesets find. */
function logging(rules: readonly Item[], found: readonly SecurityEvent[]): Item[] {
  return rules.map(({ action_parameters: { id, overrides }, ...rule }) => {
    const own = found.filter(({ rulesetId }) => rulesetId === id).map(({ ruleId }) => ruleId)
    const others = ((overrides?.rules ?? []) as Item[]).filter((one) => !own.includes(one.id))
    const logged = own.map((id) => ({ id, action: 'log', enabled: true }))
    const all = { ...overrides, rules: [...others, ...logged] }
    return { ...rule, action_parameters: { id, overrides: all } }
  })
}

export default edgeCheck({
  title:
    'In validation mode the new WAF looks first, and the previous one at what that lets through',
  clauses: [both, newFirst],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const expression = 'starts_with(http.request.uri.path, "/logged/")'
    const firewallRules = [{ expression, action: 'log' as const }]
    const previous = { enabled: true, firewallRules }
    const on = await site(context, { plan: 'enterprise', ...previous })
    const attacked = attacks(context, on)
    const alone = await attacked('/alone')
    const proposal = await on.proposal()
    if (proposal === undefined || !isStopped(alone.reply)) return
    const { name, rules } = executing(proposal)
    const update = async (some: Item[]) =>
      isServed(await on.migrate('validation', { name, rules: some }))
    /** Whether the new WAF does anything about an attack that no other one is asked about. */
    const seesAlone = async () => {
      await on.previous({ ...previous, enabled: false })
      const { acts } = await attacked('/new')
      await on.previous(previous)
      return acts.some(isNew)
    }
    const [looks, orders]: [Look[], Look[]] = [[], []]
    const found: SecurityEvent[] = []
    for (let count = 0; count < mostRules; count++) {
      if (!(await update(logging(rules, found)))) break
      const one = await attacked(`/${count}`)
      const [first] = one.acts
      if (count === 0 && first && isStopped(one.reply) && (isNew(first) || (await seesAlone())))
        orders.push({ ...seen('the rules as they are', one), holds: isNew(first) })
      const stopping = one.acts.findLast(isNew)
      if (stopping === undefined || stopping.action === 'log') break
      found.push(stopping)
    }
    const ways: [asked: string, path: string, rules?: Item[]][] = [
      ['the new WAF logs', '/plain'],
      ['a firewall rule and the new WAF log', '/logged/too'],
      // What an exception looks like is not said.
      ['the new WAF makes an exception', '/exempt', [exception, ...rules]]
    ]
    for (const [asked, path, some] of ways) {
      if (some && !(await update(some))) continue
      const one = await attacked(path)
      const [own, others] = [one.acts.filter(isNew), one.acts.filter(isPrevious)]
      const isOpen = own.length > 0 && own.every(({ action }) => /^(log|skip)$/.test(action))
      const isTold = others.length > 0 || !alone.acts.some(isPrevious)
      if (isOpen) looks.push({ ...seen(asked, one), holds: isStopped(one.reply) && isTold })
      // What logs tells so; of an exception nothing may be told.
      const isTelling = own.length > 0 || (some === undefined && found.length > 0)
      if (isTelling && others.length > 0)
        orders.push({ ...seen(asked, one), holds: isNew(one.acts[0]!) })
    }
    for (const [clause, all] of [
      [both, looks],
      [newFirst, orders]
    ] as const) {
      const told = summary(all)
      if (told) context.verify(clause, ...told)
    }
  }
})
