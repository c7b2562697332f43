import type { Context } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'

/** The plans a zone can be on, of which what is said of functions says nothing. */
export const zonePlans = ['free', 'pro', 'business', 'enterprise'] as const

/** The plans that are paid for, for which many limits are the same. */
export const paidPlans = ['bundled', 'unbound', 'standard'] as const

/** The plans a function's account can be on; a plan of its own, not that of any zone. */
export const functionPlans: readonly FunctionPlan[] = ['free', 'bundled', 'unbound', 'standard']

/** One of several that are to be alike; which of them it is, the seed of a run decides. */
export function oneOf<One>(all: readonly One[], { random }: Pick<Context, 'random'>): One {
  return all[Math.floor(random() * all.length)]!
}
