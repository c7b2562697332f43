import type { InspectedFacts } from './inspected.ts'
import type { WafAction } from './ruleset.ts'

/** What a WAF found out about a request: a rule matched, and this is what it does. */
export type Finding = {
  source: 'waf' | 'previous-waf' | 'firewall-rules'
  action: WafAction | 'skip'
  ruleId: string
  rulesetId?: string
}

/** A request to be looked at. */
export type Suspect = {
  facts: InspectedFacts
  /** Whether a signature matches the request. */
  detects: (signature: string) => boolean
}

/** Looks at a request; findings come in order, and nothing comes behind one that stops it. */
export type Inspect = (suspect: Suspect) => Finding[]

/** Whether a request goes no further after a finding. */
export function stops(finding: Finding): finding is Finding & { action: 'block' | 'challenge' } {
  return finding.action === 'block' || finding.action === 'challenge'
}

/** The findings up to the first that stops the request. */
export function untilStopped(findings: Iterable<Finding>): Finding[] {
  const found: Finding[] = []
  for (const finding of findings) {
    found.push(finding)
    if (stops(finding)) break
  }
  return found
}
