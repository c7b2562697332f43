import type { Served } from '../edge/served.ts'
import type { Plan } from '../kernel/plan.ts'
import type { Store } from '../kernel/store.ts'
import type { Account } from './account.ts'
import type { Deployment } from './deployment.ts'
import type { EdgeFunction } from './function.ts'
import type { Outcome } from './isolate/contract.ts'
import { openIsolates } from './isolate/isolates.ts'
import { isolateRules } from './isolate/rules.ts'
import { functionLimits } from './limits.ts'
import { limitsOn } from './limits-on.ts'
import type { FunctionPlan } from './plan.ts'
import type { FailMode } from './route.ts'
import { countTriggers } from './trigger.ts'
import { slidingWindow } from './window.ts'

const variables = (
  { env, secrets }: Deployment,
  _others: () => Deployment[],
  _account: Account
): string[] => [...Object.values(env), ...Object.values(secrets)]

/** What led a request to a function. */
export type MatchedBy = 'route' | 'domain' | 'subdomain'

/** What refuses requests for how many there are. */
export type RefusedBy = 'abuse' | 'minute' | 'day'

/** How requests to functions are answered when no function does. */
export type ErrorCode = 1015 | 1027 | 1101 | 1102

/**
 * What is decided about functions around their isolates, and can be got wrong. The clauses are
 * those on limits of functions and accounts, on rates, on errors, and on fetching within a zone.
 */
export const functionRules = {
  limits: functionLimits,
  /** Opens the runtime. */
  openIsolates,
  /** What is decided within isolates. */
  isolate: isolateRules,
  /** The variables that count toward the limit, by value: texts and secrets of this function. */
  variables,
  /** Which bytes of the modules, all taken together, count toward the limit. */
  sizeOf: ({ compressed }: { compressed: number; plain: number }, _plan: FunctionPlan) =>
    compressed,
  /** How many triggers count toward the limit when one is added: those of the whole account. */
  triggersOf: (store: Store, target: EdgeFunction, _plan: FunctionPlan) =>
    countTriggers(store, target.account),
  /** What a function on a plan may use, with a limit of processor time of its own if it has one. */
  limitsOn,
  /** Whether an account's requests are limited at all. */
  isLimited: ({ plan }: Account, _requestsToday: () => number) => plan === 'free',
  /** What requests are counted by: the account, whichever zone they came to, and by which way. */
  countedBy: (account: Account, _arrival: { zonePlan: Plan; matchedBy: MatchedBy }) => account.id,
  /** How the requests of a minute are counted. */
  window: slidingWindow,
  /** The day a moment belongs to, for the daily limit. */
  dayOf: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  /** What happens on a route when the day is used up: nothing runs, or the visitor is told. */
  beyondDay: { open: 'bypass', closed: 'refuse' } as Record<FailMode, 'bypass' | 'refuse'>,
  /** Whether requests to a zone are looked at for abuse. */
  isGuarded: (zonePlan: Plan): boolean => zonePlan !== 'enterprise',
  /** The rule that security events about rates name, by what refused the request. */
  rateRule: { abuse: 'worker', minute: 'worker' },
  /** The page of a request that is refused for a rate, as it goes out. */
  refusal: (page: Served, _by: RefusedBy): Served => page,
  errors: {
    1015: { status: 429, because: 'You are being rate limited.' },
    1027: { status: 429, because: 'This site has reached its limit of requests for today.' },
    1101: { status: 500, because: 'The function behind this address threw an exception.' },
    1102: { status: 503, because: 'The function behind this address exceeded its resources.' }
  } as Record<ErrorCode, { status: number; because: string }>,
  /** What the code of an error is called on its page. */
  shownCode: (code: ErrorCode) => String(code),
  /** How invocations are said to have ended. */
  statuses: {
    ok: 'Success',
    exception: 'Script Threw Exception',
    exceededCpu: 'Exceeded CPU Time Limits',
    exceededMemory: 'Exceeded Memory',
    exceededDuration: 'Exceeded Duration',
    canceled: 'Client Disconnected',
    waitUntilTimeout: 'Success',
    internal: 'Internal'
  } as Record<Outcome, string>,
  /** A global fetch to a function on a route of the same zone, and to one on a custom domain. */
  sameZone: { route: 'refuse', domain: 'allow' } as Record<'route' | 'domain', 'refuse' | 'allow'>,
  /** Whether a function reaches another one of its account through a service binding. */
  serviceBindings: 'reach' as 'reach' | 'refuse'
}

/** The shape of `functionRules`. */
export type FunctionRules = typeof functionRules
