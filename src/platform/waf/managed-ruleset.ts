import { idOf } from '../kernel/id.ts'
import { type Signature, signatures } from './signature.ts'

/** A rule of a managed ruleset: a signature under the id it has there. */
export type ManagedRule = Signature & { id: string }

/** A ruleset the service maintains; zones deploy it with a rule that executes it. */
export type ManagedRuleset = {
  id: string
  name: string
  description: string
  version: string
  rules: readonly ManagedRule[]
  /** The rule that acts on the sum of all scores; rulesets without it act on each match. */
  scoreRule?: string
}

const rulesOf = (ruleset: string, chosen: readonly Signature[]): ManagedRule[] =>
  chosen.map((signature) => ({ ...signature, id: idOf(`${ruleset} ${signature.name}`) }))

/** Blocks what any one signature finds; those that are often wrong are not in it. */
export const serviceRuleset: ManagedRuleset = {
  id: idOf('service managed ruleset'),
  name: 'Service Managed Ruleset',
  description: 'Each rule blocks by itself',
  version: '1.0',
  rules: rulesOf(
    'service managed',
    signatures.filter(({ paranoia }) => paranoia === 1)
  )
}

/** Adds up what signatures find, as version 3.x of the OWASP core rule set does. */
export const owaspRuleset: ManagedRuleset = {
  id: idOf('owasp managed ruleset'),
  name: 'OWASP Core Ruleset',
  description: 'Scores add up, and the last rule acts on the sum',
  version: '3.3',
  rules: rulesOf('owasp managed', signatures),
  scoreRule: idOf('owasp managed anomaly score')
}

/** Every managed ruleset there is. */
export const managedRulesets: readonly ManagedRuleset[] = [serviceRuleset, owaspRuleset]

/** The managed ruleset with this id, if there is one. */
export function managedRuleset(id: string): ManagedRuleset | undefined {
  return managedRulesets.find((ruleset) => ruleset.id === id)
}

/** A paranoia level as rulesets write it, as a category of rules. */
export function paranoiaCategory(level: number): string {
  return `paranoia-level-${level}`
}

/** What a rule can be chosen by when a zone overrides it. */
export function categoriesOf({ category, paranoia }: ManagedRule): string[] {
  return [category, paranoiaCategory(paranoia)]
}

/** The rule of a managed ruleset that was made from a signature. */
export function ruleFor({ rules }: ManagedRuleset, signature: string): ManagedRule | undefined {
  return rules.find(({ name }) => name === signature)
}
