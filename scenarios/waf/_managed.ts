import type { Context, Reply } from 'plimsoll'
import { type Item, isServed } from '../_reply.ts'
import type { SecurityEvent } from '../_security-event.ts'
import { type Attack, attacks, sendTo } from './_attacks.ts'
import { scoreOverride } from './_owasp.ts'
import { type Configuration, executing, isStopped, type Site, site } from './_stage.ts'

/** What became of an attack: whether it was stopped, and what the new WAF did by which rules. */
export type Found = { attack: Attack; reply: Reply; isStopped: boolean; events: SecurityEvent[] }

/** A migrated zone, the rules that execute managed rulesets in it, and how it fares. */
export type Managed = {
  on: Site
  /** What the zone was offered, and migrated with. */
  offered: Configuration
  /** Each executes another ruleset, everywhere. */
  rules: Item[]
  /** Makes these the rules of the zone; whether that was served. */
  deploy: (rules: Item[]) => Promise<boolean>
  /** Sends each attack, by a path of its own. */
  attacked: (below?: string) => Promise<Found[]>
}

/** A zone that was migrated, with what is known of its managed rulesets. */
export async function managed(context: Context): Promise<Managed | undefined> {
  const on = await site(context, { plan: 'pro', enabled: true })
  const proposal = await on.proposal()
  if (proposal === undefined || !isServed(await on.migrate('pending', proposal))) return undefined
  const { name, rules } = executing(proposal)
  // A ruleset that adds up scores acts on the least, so that each attack shows.
  const score = scoreOverride(proposal)
  const least = { ...score, action: 'block', enabled: true, score_threshold: 1 }
  const isScored = (rule: Item) => scoreOverride({ name, rules: [rule] }) !== undefined
  const client = context.edge.as(on.zone.host)
  let count = 0
  return {
    ...{ on, offered: proposal },
    rules: rules.map(({ id, version, ref, ...rule }) => ({
      ...rule,
      expression: 'true',
      action_parameters: {
        id: rule.action_parameters?.id,
        overrides: { rules: isScored(rule) ? [least] : [] }
      }
    })),
    deploy: async (some) => isServed(await on.deploy({ name, rules: some })),
    async attacked(below = '/') {
      const sent = (Object.keys(attacks) as Attack[]).map((attack) => {
        count++
        return { attack, path: `${below}${count}` }
      })
      const replies: Reply[] = []
      for (const { attack, path } of sent) {
        const at = { text: attacks[attack], place: 'the query', method: 'get' } as const
        replies.push(await sendTo(client, path, at))
      }
      const events = await context.adapter.securityEvents(on.zone.id)
      return sent.map(({ attack, path }, at) => ({
        attack,
        reply: replies[at]!,
        isStopped: isStopped(replies[at]!),
        events: events.filter((event) => event.source === 'waf' && event.path === path)
      }))
    }
  }
}

/** The same rule, in which these rules of its ruleset are overridden as said, too. */
export function overriding(rule: Item, rules: readonly Item[]): Item {
  const known = new Map<unknown, Item>()
  for (const one of [...rule.action_parameters.overrides.rules, ...rules])
    known.set(one.id, { ...known.get(one.id), ...one })
  const overrides = { ...rule.action_parameters.overrides, rules: [...known.values()] }
  return { ...rule, action_parameters: { ...rule.action_parameters, overrides } }
}

/** What was found in words. */
export function told({ isStopped, events }: Found): string {
  const acts = events.map(({ action, ruleId }) => `${action} by ${ruleId.slice(0, 6)}`)
  return `${isStopped ? 'stopped' : 'let through'}, ${acts.join(', ') || 'no event'}`
}
