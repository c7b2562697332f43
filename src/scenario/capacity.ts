import { defaultTimeoutMs } from '../load/load.ts'
import type { RateDemand } from '../verdict/judge-capacity.ts'
import type { CapacityScenario } from './scenario.ts'
import { insistOnBreakable, validateOptions } from './validate.ts'

type CapacityOptions = Omit<CapacityScenario, 'kind' | 'alone' | 'demand' | OptionalName> &
  Partial<Pick<CapacityScenario, OptionalName>> &
  Omit<RateDemand, 'errorRatio'> &
  Partial<Pick<RateDemand, 'errorRatio'>>

type OptionalName = 'clauses' | 'ceiling' | 'seconds' | 'connections' | 'transport'

/**
 * Defines a search for the highest rate at which 99 in 100 responses stay within `p99Ms`: it must
 * be no less than `perSecond`. It runs when nothing else does.
 */
export function capacity(options: CapacityOptions): CapacityScenario {
  validateOptions('capacity', options)
  const { perSecond, p99Ms, errorRatio = 0.001, ...rest } = options
  insistOnBreakable('capacity', { '': { p99Ms } }, { timeoutMs: defaultTimeoutMs })
  const { clauses = [], ceiling = 4, seconds = 60, connections = 50, transport = 'http1' } = rest
  return {
    ...rest,
    ...{ kind: 'capacity', clauses, ceiling, seconds, connections, transport },
    demand: { perSecond, p99Ms, errorRatio },
    alone: ['everything']
  }
}
