import { owaspRuleset, paranoiaCategory, ruleFor, serviceRuleset } from './managed-ruleset.ts'
import type { Configuration, FirewallRule, PageRule } from './previous/configuration.ts'
import { owaspPackage, servicePackage } from './previous/package.ts'
import type { Overrides, WafAction } from './ruleset.ts'
import { urlExpression } from './url-pattern.ts'

/** A rule of the configuration that a migration proposes, in the document's fields. */
export type ProposedRule = {
  id: ''
  version: ''
  action: 'execute' | 'skip'
  expression: string
  description: string
  ref: ''
  enabled: boolean
  action_parameters: { id: string; overrides: Overrides } | { ruleset: 'current' }
}

/** The configuration a migration proposes. */
export type Proposal = { name: string; rules: ProposedRule[] }

type Owasp = Configuration['owasp']
type RuleOverride = NonNullable<Overrides['rules']>[number]

/** What becomes of each setting of the previous WAF (document: Settings migrated). */
export const mappingRules = {
  /**
   * Paranoia level and score threshold by sensitivity, as the document's table has them. One of its
   * sentences says PL2 for all; the table is more specific, and counts.
   */
  sensitivity: {
    high: { level: 2, threshold: 40 },
    medium: { level: 1, threshold: 25 },
    low: { level: 1, threshold: 40 },
    default: { level: 2, threshold: 40 },
    // The package is off, and so is what comes of it; the level is that of nobody's choice.
    off: { level: 2, threshold: 40 }
  },
  action: { simulate: 'log', block: 'block', challenge: 'challenge' } as Record<
    Owasp['action'],
    WafAction
  >,
  /** Which firewall rules, and page rules of either kind, become a rule that skips. */
  isSkipped: {
    bypass: ({ action }: FirewallRule): boolean => action === 'bypass',
    disableSecurity: true,
    wafOff: true
  },
  /** Whether a page rule that turns the WAF on makes rulesets run where they else would not. */
  isTurnedOn: (rule: PageRule): boolean => 'waf' in rule && rule.waf === 'on',
  /** Overrides of the OWASP package are not migrated. */
  groupOverrides: (_: Owasp): RuleOverride[] => [],
  ruleOverrides: (_: Owasp): RuleOverride[] => []
}

/** The shape of `mappingRules`. */
export type MappingRules = typeof mappingRules

/** The configuration of the new WAF that does what the previous one does. */
export function proposal(rules: MappingRules, configuration: Configuration): Proposal {
  const { firewallRules, owasp } = configuration
  const skipping = firewallRules
    .filter((rule) => rules.isSkipped.bypass(rule))
    .map(({ expression, description }) => skip(expression, description || 'Firewall rule'))
  const deployment = deployed(rules, configuration)
  const { level, threshold } = rules.sensitivity[owasp.sensitivity]
  const scored = { id: owaspRuleset.scoreRule!, action: rules.action[owasp.action] }
  return {
    name: 'Migrated from the previous WAF',
    rules: [
      ...skipping,
      ...skippedPages(rules, configuration),
      execute(serviceRuleset, {
        ...deployment,
        overrides: { rules: serviceOverrides(configuration) }
      }),
      execute(owaspRuleset, {
        ...deployment,
        enabled: deployment.enabled && owasp.sensitivity !== 'off',
        overrides: {
          categories: [1, 2, 3, 4]
            .filter((one) => one > level)
            .map((one) => ({ category: paranoiaCategory(one), enabled: false })),
          rules: [
            { ...scored, enabled: true, score_threshold: threshold },
            ...rules.groupOverrides(owasp),
            ...rules.ruleOverrides(owasp)
          ]
        }
      })
    ]
  }
}

/** A rule in the order of the document's fields, with those empty that the service fills in. */
function rule({
  action,
  expression,
  description,
  ...rest
}: Omit<ProposedRule, 'id' | 'version' | 'ref'>): ProposedRule {
  return { id: '', version: '', action, expression, description, ref: '', ...rest }
}

function skip(expression: string, description: string): ProposedRule {
  const action_parameters = { ruleset: 'current' } as const
  return rule({ action: 'skip', expression, description, enabled: true, action_parameters })
}

function execute(
  { id, name }: { id: string; name: string },
  { expression, enabled, overrides }: { expression: string; enabled: boolean; overrides: Overrides }
): ProposedRule {
  const action_parameters = { id, overrides }
  return rule({ action: 'execute', expression, description: name, enabled, action_parameters })
}

/** Page rules that turn the WAF off skip, except where an earlier one has turned it on. */
function skippedPages({ isSkipped, isTurnedOn }: MappingRules, { pageRules }: Configuration) {
  return pageRules.flatMap((rule, index): ProposedRule[] => {
    const isOff = 'disableSecurity' in rule && isSkipped.disableSecurity
    const isWafOff = 'waf' in rule && rule.waf === 'off' && isSkipped.wafOff
    if (!isOff && !isWafOff) return []
    const earlier = pageRules.slice(0, index).filter(isTurnedOn)
    const unless = earlier.map(({ url }) => ` and not ${urlExpression(url)}`).join('')
    return [skip(urlExpression(rule.url) + unless, `Page rule ${rule.url}`)]
  })
}

/** Where rulesets run: everywhere if the WAF was on, else where a page rule turned it on. */
function deployed({ isTurnedOn }: MappingRules, { enabled, pageRules }: Configuration) {
  const places = pageRules.filter(isTurnedOn).map(({ url }) => urlExpression(url))
  if (enabled || places.length === 0) return { expression: 'true', enabled }
  return { expression: places.join(' or '), enabled: true }
}

/** Rules of the service's package whose mode was changed, by themselves or with their group. */
function serviceOverrides({ service: { groups, rules } }: Configuration): RuleOverride[] {
  return servicePackage.rules.flatMap(({ id, group, signature }): RuleOverride[] => {
    const mode = rules[id] ?? (groups[group] === 'off' ? 'disable' : 'default')
    if (mode === 'default') return []
    const action = mode === 'simulate' ? 'log' : mode === 'challenge' ? 'challenge' : 'block'
    const enabled = mode !== 'disable'
    return [{ id: ruleFor(serviceRuleset, signature.name)!.id, action, enabled }]
  })
}

/** The OWASP rules whose group, or which themselves, were turned off, as overrides. */
export function owaspOff(owasp: Owasp, by: 'groups' | 'rules'): RuleOverride[] {
  return owaspPackage.rules
    .filter((rule) => owasp[by][by === 'groups' ? rule.group : rule.id] === 'off')
    .map(({ signature }) => ({
      id: ruleFor(owaspRuleset, signature.name)!.id,
      action: 'block',
      enabled: false
    }))
}
