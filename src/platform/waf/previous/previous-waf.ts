import { type Finding, type Inspect, type Suspect, untilStopped } from '../finding.ts'
import type { InspectedFacts } from '../inspected.ts'
import type { WafAction } from '../ruleset.ts'
import { matcher, urlExpression } from '../url-pattern.ts'
import type { Configuration, PageRule } from './configuration.ts'
import { owaspPackage, type PackageRule, servicePackage } from './package.ts'

type Mode = Configuration['service']['rules'][string]

/** The sum from which the OWASP package takes a request for an attack. */
export const thresholds = { high: 25, default: 25, medium: 40, low: 60, off: Infinity }

const actionOf: Record<Exclude<Mode, 'disable'>, WafAction> = {
  default: 'block',
  block: 'block',
  challenge: 'challenge',
  simulate: 'log'
}

/** What firewall rules and page rules say of a request: whether the WAF is to leave it alone. */
export type Exemption = { isBypassed: boolean; pageRule?: PageRule }

/** What firewall rules and page rules make of a request, before any WAF sees it. */
export type Screening = { findings: Finding[]; exemption: Exemption }

/** Looks at a request as the zone's firewall rules and page rules do. */
export function screen({ firewallRules, pageRules }: Configuration) {
  const rules = firewallRules.map((rule) => ({ ...rule, isMeant: matcher(rule.expression) }))
  const pages = pageRules.map((rule) => ({ rule, isMeant: matcher(urlExpression(rule.url)) }))
  return (facts: InspectedFacts): Screening => {
    const met = rules.filter(({ isMeant }) => isMeant(facts))
    const findings = met.map(
      ({ id, action }): Finding => ({
        source: 'firewall-rules',
        action: action === 'bypass' ? 'skip' : action,
        ruleId: id
      })
    )
    const isBypassed = met.some(({ action }) => action === 'bypass')
    const pageRule = pages.find(({ isMeant }) => isMeant(facts))?.rule
    return { findings: untilStopped(findings), exemption: { isBypassed, pageRule } }
  }
}

/** Whether the previous WAF is to look at a request at all. */
export function isLookedAt(
  { enabled }: Configuration,
  { isBypassed, pageRule }: Exemption
): boolean {
  if (isBypassed) return false
  if (pageRule === undefined) return enabled
  return 'waf' in pageRule && pageRule.waf === 'on'
}

/** The previous WAF as a zone has configured it: first its own rules, then the OWASP package. */
export function previousWaf(configuration: Configuration): Inspect {
  const overrides = configuration.uriOverrides
    .filter(({ paused }) => !paused)
    .map((override) => ({
      ...override,
      isMeant: matcher(override.urls.map(urlExpression).join(' or '))
    }))

  function modeOf({ id, group }: PackageRule, facts: InspectedFacts): Mode {
    const { groups, rules } = configuration.service
    const at = overrides.filter(({ isMeant }) => isMeant(facts))
    const overridden = at.map((one) => one.rules[id] ?? one.groups[group]).find(Boolean)
    const own = rules[id]
    return overridden ?? own ?? (groups[group] === 'off' ? 'disable' : 'default')
  }

  function* findings({ facts, detects }: Suspect): Generator<Finding> {
    for (const rule of servicePackage.rules) {
      if (!detects(rule.signature.name)) continue
      const mode = modeOf(rule, facts)
      if (mode === 'disable') continue
      yield found(servicePackage.id, rule.id, actionOf[mode])
    }
    const { sensitivity, action } = configuration.owasp
    const score = owaspScore(configuration, detects)
    if (score >= thresholds[sensitivity])
      yield found(owaspPackage.id, owaspPackage.id, actionOf[action])
  }
  return (suspect) => untilStopped(findings(suspect))
}

function owaspScore({ owasp }: Configuration, detects: Suspect['detects']): number {
  const counted = owaspPackage.rules.filter(
    ({ id, group, signature }) =>
      (owasp.rules[id] ?? owasp.groups[group]) !== 'off' && detects(signature.name)
  )
  return counted.reduce((sum, { signature }) => sum + signature.score, 0)
}

function found(rulesetId: string, ruleId: string, action: WafAction): Finding {
  return { source: 'previous-waf', action, ruleId, rulesetId }
}
