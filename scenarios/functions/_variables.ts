import type { Answer, Context } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { paidPlans, someOf } from './_plan.ts'

/** So many variables, each with a name of its own. */
export function variables(count: number, prefix: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'v']))
}

/**
 * What is said to a value that is given in each of some ways: by the first that is not as all of
 * them are to be, or else by the last.
 */
export async function saidTo<Way>(
  ways: readonly Way[],
  due: Answer['kind'],
  ask: (way: Way) => Promise<Answer>
): Promise<Answer> {
  const [way, ...others] = ways
  const answer = await ask(way!)
  const isDue = answer.kind === due && answer.proper
  return isDue && others.length > 0 ? saidTo(others, due, ask) : answer
}

/** The plans that a limit is asked about on: of paid ones one in a quick run, by its seed. */
export function plansOf(context: Pick<Context, 'key' | 'seed' | 'tier'>): readonly FunctionPlan[] {
  return context.key === 'free' ? ['free'] : someOf(paidPlans, context)
}
