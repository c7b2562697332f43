import type { Plan } from '../plan.ts'
import type { Account } from './account.ts'
import type { Deployment } from './deployment.ts'
import type { Answer, Outcome } from './isolate/contract.ts'
import type { FunctionPlan } from './plan.ts'
import type { FailMode } from './route.ts'

/** What led a request to a function. */
export type Way = 'route' | 'domain' | 'subdomain'

/** How requests to functions are answered when no function does. */
export type ErrorCode = 1015 | 1027 | 1101 | 1102

/**
 * What is decided about functions around their isolates, and can be got wrong. The clauses are
 * those on limits of functions and accounts, on rates, on errors, and on fetching within a zone.
 */
export const functionRules = {
  /** The variables that count toward the limit, by value: texts and secrets combined. */
  variables: ({ env, secrets }: Deployment) => [...Object.values(env), ...Object.values(secrets)],
  /** Which bytes of the modules, compressed as one, count toward the limit. */
  sizeOf: ({ compressed }: { compressed: number; plain: number }) => compressed,
  /** Whether an account's requests are limited at all. */
  isLimited: (plan: FunctionPlan) => plan === 'free',
  /** What requests are counted by: the account, whichever zone they came to. */
  countedBy: (account: Account, _zone: { id: string }) => account.id,
  /** Whether a request counts that came this way. */
  counts: (_way: Way) => true,
  /** The day a moment belongs to, for the daily limit. */
  dayOf: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  /** What happens on a route when the day is used up: nothing runs, or the visitor is told. */
  beyondDay: { open: 'bypass', closed: 'refuse' } as Record<FailMode, 'bypass' | 'refuse'>,
  /** Whether requests to a zone are looked at for abuse. */
  isGuarded: (zonePlan: Plan) => zonePlan !== 'enterprise',
  /** The rule that security events about rates name. */
  rateRule: 'worker',
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
  serviceBindings: 'reach' as 'reach' | 'refuse',
  /** What becomes of a function's answer; it may be of any size. */
  answerOf: (answer: Answer): Answer => answer
}

/** The shape of `functionRules`. */
export type FunctionRules = typeof functionRules
