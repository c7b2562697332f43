import type { Load } from '../load/load.ts'
import type { SoakScenario } from './scenario.ts'
import { validateOptions } from './validate.ts'

type SoakOptions = Omit<SoakScenario, 'kind' | 'alone' | 'clauses' | 'transport'> &
  Partial<Pick<SoakScenario, 'clauses' | 'transport'>>

/** Why a load cannot be a soak's; undefined when it can. */
function misfit({ phases }: Load): string | undefined {
  const [phase, ...others] = phases
  if (others.length > 0 || phase!.from !== phase!.to) {
    return 'a soak has one level from beginning to end: give it a single `hold`'
  }
  if (phase!.seconds === Infinity) return 'a soak must end: give it `seconds`'
}

/** Defines a long load and what may grow under it; it runs when nothing else does. */
export function soak(options: SoakOptions): SoakScenario {
  validateOptions('soak', options)
  const problem = misfit(options.load)
  if (problem) throw new RangeError(problem)
  const { clauses = [], transport = 'http1' } = options
  return { kind: 'soak', ...options, clauses, transport, alone: ['everything'] }
}
