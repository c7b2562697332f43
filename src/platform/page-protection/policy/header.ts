import type { RequestFacts } from '../../expression/expression.ts'
import { reportPath } from '../monitor/endpoint.ts'
import type { Policy } from './policy.ts'

/** The decisions that make a policy take effect; the header each action is sent in. */
export const application = {
  header: {
    log: 'Content-Security-Policy-Report-Only',
    allow: 'Content-Security-Policy'
  },
  isEnabled: ({ enabled }: Policy): boolean => String(enabled) === 'true',
  isMeant: (check: (facts: RequestFacts) => boolean, facts: RequestFacts): boolean => check(facts),
  /** What the header lists: directives with their sources. */
  sources: ({ value }: Policy): string => value
}

/** The shape of `application`. */
export type Application = typeof application

/** What a policy adds to the head of an answer. */
export type PolicyHeader = [name: string, value: string]

/** The header a policy is sent in, with the address its violations are reported to. */
export function headerOf(policy: Policy, rules: Application = application): PolicyHeader {
  const value = rules.sources(policy).replace(/[; ]+$/, '')
  return [rules.header[policy.action], `${value}; report-uri ${reportPath}?policy=${policy.id}`]
}

/** Bytes of a header as it is sent, with what stands between name and value and behind them. */
export function headerBytes([name, value]: PolicyHeader): number {
  return name.length + value.length + ': \r\n'.length
}
