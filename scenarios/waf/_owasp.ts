import type { Context, Reply } from 'plimsoll'
import { canonical, type Item, isItem, item } from '../_reply.ts'
import type { PreviousWaf } from './_capabilities.ts'
import { type Configuration, configurationIn, stage } from './_stage.ts'
import { stripped } from './_stripped.ts'

/** A configuration that a zone with this OWASP package is offered, and the answer it was in. */
export type Offer = { configuration: Configuration; reply: Reply; zonePath: string }

/** What a fresh zone is offered whose previous WAF has an OWASP package like this. */
export async function offerFor(
  context: Context,
  owasp: NonNullable<PreviousWaf['owasp']>,
  plan = 'business'
): Promise<Offer | undefined> {
  const on = await stage(context, plan)
  await context.adapter.previousWaf(on.zone.id, { enabled: true, owasp })
  const reply = await on.config()
  const configuration = configurationIn(reply)
  return configuration && { configuration, reply, zonePath: on.path }
}

/** What the rules of an offer do, as one text: without what names a rule, which may be made up. */
export function rulesOf({ configuration }: Offer): string {
  return canonical(stripped(configuration).rules)
}

/** Every override in a configuration: of whole rulesets, of categories and of rules. */
export function overridesIn({ rules }: Configuration): Item[] {
  return rules.flatMap(({ action_parameters: parameters }) => {
    const overrides: unknown = isItem(parameters) ? parameters.overrides : undefined
    if (!isItem(overrides)) return []
    const lists = [overrides.categories, overrides.rules].filter(Array.isArray)
    return [overrides, ...lists.flat()].filter(isItem)
  })
}

/** The actions that overrides put in place of those of a managed ruleset. */
export function actionsIn(configuration: Configuration): string[] {
  return [...new Set(overridesIn(configuration).flatMap(({ action }) => action ?? []))]
}

/** The override that says from which score on a request is an attack. */
export function scoreOverride(configuration: Configuration): Item | undefined {
  return overridesIn(configuration).find(({ score_threshold }) => score_threshold !== undefined)
}

/** Every plan of which the document says how its zones migrate. */
export const plans = ['pro', 'business', 'enterprise'] as const

/** The levels of the core rule set, of which 3.x has these four. */
const levels = [1, 2, 3, 4]

/** The level that a category of rules stands for, where it is one of a level. */
function levelOf(category: unknown): number[] {
  const [, level] = /^paranoia-level-(\d)$/.exec(`${category}`) ?? []
  return level === undefined ? [] : [Number(level)]
}

/** The rules of each level in the rulesets that a zone is offered, as far as the API shows them. */
export async function rulesByLevel(
  { management }: Pick<Context, 'management'>,
  { configuration, zonePath }: Offer
): Promise<Map<number, unknown[]>> {
  const byLevel = new Map<number, unknown[]>()
  for (const { action_parameters: parameters } of configuration.rules) {
    if (!isItem(parameters) || parameters.id === undefined) continue
    const { rules } = item(await management.get(`${zonePath}/rulesets/${parameters.id}`))
    for (const { id, categories } of Array.isArray(rules) ? rules : [])
      for (const level of Array.isArray(categories) ? categories.flatMap(levelOf) : [])
        byLevel.set(level, [...(byLevel.get(level) ?? []), id])
  }
  return byLevel
}

/**
 * The paranoia level: the highest whose rules are not turned off by their category, or one by one,
 * 0 where all are, or, where none are turned off, the highest whose rules are turned on.
 */
export function paranoiaLevel(
  configuration: Configuration,
  byLevel = new Map<number, unknown[]>()
): number | undefined {
  const turnedTo = (isOn: boolean) => {
    const turned = overridesIn(configuration).filter(({ enabled }) => enabled === isOn)
    const ids = new Set(turned.map(({ id }) => id))
    const whole = [...byLevel].filter(([, rules]) => rules.every((id) => ids.has(id)))
    return [...turned.flatMap(({ category }) => levelOf(category)), ...whole.map(([one]) => one)]
  }
  const [off, on] = [turnedTo(false), turnedTo(true)]
  if (off.length > 0) return Math.max(0, ...levels.filter((level) => !off.includes(level)))
  return on.length > 0 ? Math.max(...on) : undefined
}
