import type { Context } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'

/** The plans a zone can be on, of which what is said of functions says nothing. */
export const zonePlans = ['free', 'pro', 'business', 'enterprise'] as const

/** The plans that are paid for, for which many limits are the same. */
export const paidPlans = ['bundled', 'unbound', 'standard'] as const

/** The plans a function's account can be on; a plan of its own, not that of any zone. */
export const functionPlans: readonly FunctionPlan[] = ['free', 'bundled', 'unbound', 'standard']

/**
 * One of several that are to be alike; which of them it is, the seed of a run decides. No attempt
 * has another one: what is wrong with it alone would hold in the next.
 */
export function oneOf<One>(all: readonly One[], { seed }: Pick<Context, 'seed'>): One {
  return all[seed % all.length]!
}

/** Those of several that are to be alike which are asked about: one in a quick run, or else all. */
export function someOf<One>(
  all: readonly One[],
  context: Pick<Context, 'seed' | 'tier'>
): readonly One[] {
  return context.tier === 'quick' ? [oneOf(all, context)] : all
}
