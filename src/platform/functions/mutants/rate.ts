import type { Served } from '../../edge/served.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { FunctionRules } from '../rules.ts'
import { functionRules } from '../rules.ts'

const hourMs = 3_600_000

/** Another page in place of that for abuse. */
const abused = (otherwise: (page: Served) => Served): Override<FunctionRules> => ({
  refusal: (page, by) => (by === 'abuse' ? otherwise(page) : page)
})

/** What can be wrong with how many requests functions take. */
export const functionRateMutants: readonly Mutant<FunctionRules>[] = [
  {
    name: 'burst-limit-too-low',
    clause: 'rate.free.burst-1000-per-minute',
    description: 'On the free plan an account has 999 requests a minute.',
    change: { limits: { requests: { perMinute: 999 } } }
  },
  {
    name: 'burst-limit-too-high',
    clause: 'limits.runtime.requests.per-minute.free',
    description: 'On the free plan an account has 1,200 requests a minute.',
    change: { limits: { requests: { perMinute: 1_200 } } }
  },
  {
    name: 'daily-limit-too-low',
    clause: 'rate.free.daily-100000',
    description: 'On the free plan an account has 99,999 requests a day.',
    change: { limits: { requests: { perDay: 99_999 } } }
  },
  {
    name: 'daily-limit-too-high',
    clause: 'limits.runtime.requests.per-day.free',
    description: 'On the free plan an account has 100,001 requests a day.',
    change: { limits: { requests: { perDay: 100_001 } } }
  },
  {
    name: 'day-ends-at-local-midnight',
    clause: 'rate.free.reset-midnight-utc',
    description: 'The day of the daily limit begins five hours after midnight UTC.',
    change: { dayOf: (ms) => functionRules.dayOf(ms - 5 * hourMs) }
  },
  {
    name: 'day-ends-a-minute-early',
    clause: 'rate.free.reset-midnight-utc',
    description: 'The day of the daily limit begins a minute before midnight UTC.',
    change: { dayOf: (ms) => functionRules.dayOf(ms + hourMs / 60) }
  },
  {
    name: 'day-never-ends',
    clause: 'rate.free.reset-midnight-utc',
    description: 'The daily count is never reset.',
    change: { dayOf: () => 'the day' }
  },
  {
    name: 'enterprise-zones-counted-apart',
    clause: 'rate.free.account-level',
    description: 'Requests to Enterprise zones have a count of their own.',
    change: {
      countedBy: ({ id }, { zonePlan }) => (zonePlan === 'enterprise' ? `${id} large` : id)
    }
  },
  {
    name: 'shared-subdomain-counted-apart',
    clause: 'rate.free.shared-subdomain-counts',
    description: 'Requests on the shared subdomain have a count of their own.',
    change: {
      countedBy: ({ id }, { matchedBy }) => (matchedBy === 'subdomain' ? `${id} shared` : id)
    }
  },
  {
    name: 'custom-domains-counted-apart',
    clause: 'rate.free.account-level',
    description: 'Requests by a custom domain have a count of their own.',
    change: {
      countedBy: ({ id }, { matchedBy }) => (matchedBy === 'domain' ? `${id} domain` : id)
    }
  },
  {
    name: 'paid-plan-lifts-tomorrow',
    clause: 'rate.free.paid-lifts',
    description: 'An account that moves to a paid plan stays limited for the day.',
    change: {
      isLimited: ({ plan }, requestsToday) => plan === 'free' || requestsToday() > 0
    }
  },
  {
    name: 'bundled-limited',
    clause: 'limits.runtime.requests.bundled',
    description: 'The limits of the free plan are those of the Bundled plan too.',
    change: { isLimited: ({ plan }) => plan === 'free' || plan === 'bundled' }
  },
  {
    name: 'unbound-limited',
    clause: 'limits.runtime.requests.unbound-standard',
    description: 'The limits of the free plan are those of the Unbound plan too.',
    change: { isLimited: ({ plan }) => plan === 'free' || plan === 'unbound' }
  },
  {
    name: 'burst-page-without-code',
    clause: 'error.1015-page',
    description: 'The page for too many requests does not say which error it is.',
    change: { shownCode: (code) => (code === 1015 ? '' : String(code)) }
  },
  {
    name: 'burst-refused-with-403',
    clause: 'error.1015-http-429',
    description: 'Too many requests are refused with 403.',
    change: { errors: { 1015: { status: 403 } } }
  },
  {
    name: 'burst-event-names-another-rule',
    clause: 'error.1015-security-event',
    description: 'The security event about too many requests names the rule "rate-limit".',
    change: { rateRule: { minute: 'rate-limit' } }
  },
  {
    name: 'abuse-event-names-another-rule',
    clause: 'error.1015-security-event',
    description: 'The security event about abuse names the rule "abuse".',
    change: { rateRule: { abuse: 'abuse' } }
  },
  {
    name: 'abuse-page-without-code',
    clause: 'error.1015-page',
    description: 'The page for abuse does not say which error it is.',
    change: abused((page) => ({ ...page, body: `${page.body}`.replaceAll('1015', '----') }))
  },
  {
    name: 'abuse-refused-with-403',
    clause: 'error.1015-http-429',
    description: 'Abuse is refused with 403.',
    change: abused((page) => ({ ...page, status: 403 }))
  },
  {
    name: 'fail-closed-passes',
    clause: 'error.1027-fail-closed',
    description: 'Beyond the daily limit a route in fail-closed mode leads to the origin.',
    change: { beyondDay: { closed: 'bypass' } }
  },
  {
    name: 'daily-page-names-another-code',
    clause: 'error.1027-fail-closed',
    description: 'The page for the daily limit says error 1015.',
    change: { shownCode: () => '1015' }
  },
  {
    name: 'fail-open-refuses',
    clause: 'error.fail-open-bypass',
    description: 'Beyond the daily limit a route in fail-open mode shows an error.',
    change: { beyondDay: { open: 'refuse' } }
  },
  {
    name: 'abuse-names-another-code',
    clause: 'abuse.1015-trigger',
    description: 'Abuse is refused with the error 1016.',
    change: { shownCode: (code) => (code === 1015 ? '1016' : String(code)) }
  },
  {
    name: 'enterprise-guarded-against-abuse',
    clause: 'abuse.not-enterprise',
    description: 'Abuse protection looks at Enterprise zones too.',
    change: { isGuarded: () => true }
  },
  {
    name: 'requests-limited-in-general',
    clause: 'abuse.no-general-rps-limit',
    description: 'A zone takes 1,000 requests a minute from an address.',
    change: { limits: { abuse: { requests: 1_000, windowMs: 60_000 } } }
  }
]
