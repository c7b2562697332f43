import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { Account } from '../account.ts'
import type { Isolates } from '../isolate/contract.ts'
import type { FunctionRules } from '../rules.ts'
import { functionRules } from '../rules.ts'
import { wrapped } from './isolates.ts'

/** What a function that has been on several plans goes on with. */
function keptSubrequests(kept: (one: number, other: number) => number): Override<FunctionRules> {
  const known = new Map<string, number>()
  const wrap = ({ invoke }: Isolates): Partial<Isolates> => ({
    invoke(spec, invocation) {
      const { subrequests } = spec.limits
      const most = kept(subrequests, known.get(spec.id) ?? subrequests)
      known.set(spec.id, most)
      return invoke({ ...spec, limits: { ...spec.limits, subrequests: most } }, invocation)
    }
  })
  return wrapped(wrap)
}

/** The plans that accounts were on when something was deployed there, by their ids. */
const metOn = new Map<string, Set<string>>()

/** Whether an account that is on the free plan, or on another, was met on the other kind before. */
function hasMoved({ id, plan }: Account, to: 'free' | 'paid'): boolean {
  const met = metOn.get(id) ?? new Set()
  metOn.set(id, met.add(plan === 'free' ? 'free' : 'paid'))
  return (plan === 'free') === (to === 'free') && met.size > 1
}

/** What can be wrong once an account has moved to another plan. */
export const movedMutants: readonly Mutant<FunctionRules>[] = [
  {
    name: 'cache-calls-of-the-smallest-plan-so-far',
    clause: 'limits.cache-api.calls.unbound-standard',
    description: 'Calls to the cache are those of the smallest plan that the function was on.',
    change: keptSubrequests(Math.min)
  },
  {
    name: 'cache-calls-of-the-largest-plan-so-far',
    clause: 'limits.cache-api.calls.free',
    description: 'Calls to the cache are those of the largest plan that the function was on.',
    change: keptSubrequests(Math.max)
  },
  {
    name: 'variables-free-as-before-the-move',
    clause: 'limits.function.env-vars.free',
    description: 'An account that moves to the free plan goes on without its limit of variables.',
    change: {
      variables: (deployment, others, account) =>
        hasMoved(account, 'free') ? [] : functionRules.variables(deployment, others, account)
    }
  },
  {
    name: 'variables-paid-as-before-the-move',
    clause: 'limits.function.env-vars.paid',
    description: 'An account that leaves the free plan has half as many variables as it may have.',
    change: {
      variables(deployment, others, account) {
        const all = functionRules.variables(deployment, others, account)
        return hasMoved(account, 'paid') ? [...all, ...all] : all
      }
    }
  }
]
