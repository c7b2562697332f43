/** The plans an account's functions can be on. A zone's plan is another matter altogether. */
export const functionPlans = ['free', 'bundled', 'unbound', 'standard'] as const

/** The plan of an account's functions; decides what they may use. */
export type FunctionPlan = (typeof functionPlans)[number]

/** What the document tells apart where it has one column for every plan that is paid for. */
export type PlanClass = 'free' | 'paid'

/** The column of the document's table that a plan is in. */
export function classOf(plan: FunctionPlan): PlanClass {
  return plan === 'free' ? 'free' : 'paid'
}
