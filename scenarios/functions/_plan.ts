import type { FunctionPlan } from './_capabilities.ts'

/** The plans a function's account can be on; a plan of its own, not that of any zone. */
export const functionPlans: readonly FunctionPlan[] = ['free', 'bundled', 'unbound', 'standard']
