import { type Finding, type Inspect, type Suspect, untilStopped } from './finding.ts'
import {
  categoriesOf,
  type ManagedRule,
  type ManagedRuleset,
  managedRuleset
} from './managed-ruleset.ts'
import type { Entrypoint, Overrides, Rule, WafAction } from './ruleset.ts'
import { matcher } from './url-pattern.ts'

/** The sum from which a request is taken for an attack, unless overridden. */
export const defaultThreshold = 40

type Setting = { enabled: boolean; action: WafAction; threshold: number }
type Active = ManagedRule & Setting

/** The new WAF as a zone's entry point deploys it: rule after rule, and a skip ends or thins it. */
export function newWaf({ rules }: Pick<Entrypoint, 'rules'>): Inspect {
  const prepared = rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({ rule, isMeant: matcher(rule.expression), run: executionOf(rule) }))

  function* findings(suspect: Suspect): Generator<Finding> {
    const skipped = new Set<string>()
    for (const { rule, isMeant, run } of prepared) {
      if (!isMeant(suspect.facts)) continue
      if (rule.action === 'execute') {
        if (!skipped.has(rule.action_parameters.id)) yield* run(suspect)
        continue
      }
      yield { source: 'waf', action: 'skip', ruleId: rule.id }
      if ('ruleset' in rule.action_parameters) return
      for (const id of rule.action_parameters.rulesets) skipped.add(id)
    }
  }
  return (suspect) => untilStopped(findings(suspect))
}

type Run = (suspect: Suspect) => Iterable<Finding>

/** What an execute rule comes to; a rule that skips executes nothing. */
function executionOf(rule: Rule): Run {
  if (rule.action !== 'execute') return () => []
  const { id, overrides = {} } = rule.action_parameters
  const ruleset = managedRuleset(id)!
  const active = ruleset.rules
    .map((one): Active => ({ ...one, ...settingOf(one.id, categoriesOf(one), overrides) }))
    .filter(({ enabled }) => enabled)
  return ruleset.scoreRule === undefined
    ? (suspect) => eachMatch(ruleset, active, suspect)
    : (suspect) => scored(ruleset, { active, overrides }, suspect)
}

/** How a rule is set: a category's override beats the ruleset's, and its own beats both. */
function settingOf(id: string, categories: readonly string[], overrides: Overrides): Setting {
  const own = overrides.rules?.find((one) => one.id === id)
  const ofCategories = (overrides.categories ?? []).filter(({ category }) =>
    categories.includes(category)
  )
  const layers = [overrides, ...ofCategories, ...(own ? [own] : [])]
  return {
    enabled: layers.findLast(({ enabled }) => enabled !== undefined)?.enabled ?? true,
    action: layers.findLast(({ action }) => action !== undefined)?.action ?? 'block',
    threshold: own?.score_threshold ?? defaultThreshold
  }
}

function* eachMatch(
  ruleset: ManagedRuleset,
  active: readonly Active[],
  { detects }: Suspect
): Generator<Finding> {
  for (const { id, name, action } of active)
    if (detects(name)) yield { source: 'waf', action, ruleId: id, rulesetId: ruleset.id }
}

function* scored(
  { id, scoreRule = '' }: ManagedRuleset,
  { active, overrides }: { active: readonly Active[]; overrides: Overrides },
  { detects }: Suspect
): Generator<Finding> {
  const { enabled, action, threshold } = settingOf(scoreRule, [], overrides)
  if (!enabled) return
  let score = 0
  for (const rule of active) if (detects(rule.name)) score += rule.score
  if (score >= threshold) yield { source: 'waf', action, ruleId: scoreRule, rulesetId: id }
}
