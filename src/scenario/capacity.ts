import type { Request } from '../load/request.ts'
import type { LastingTransport } from '../load/transport.ts'
import type { RateDemand } from '../verdict/judge-capacity.ts'
import type { AskingContext } from './asking.ts'
import { insistOptions } from './insist.ts'
import type { Common } from './scenario.ts'

/** A scenario that searches for the highest rate a target holds, of which it demands so much. */
export type CapacityScenario = Common & {
  kind: 'capacity'
  /** Clauses the rate decides; without any it is judged by itself. */
  clauses: string[]
  demand: RateDemand
  /** Search no further than this many times the rate that is demanded. */
  ceiling: number
  /** How long it may take. */
  seconds: number
  connections: number
  engine: LastingTransport
  /** The requests, asked in turn; all to one endpoint. */
  request: (context: AskingContext) => Request | Request[]
}

type CapacityOptions = Omit<CapacityScenario, 'kind' | 'alone' | 'demand' | OptionalName> &
  Partial<Pick<CapacityScenario, OptionalName>> &
  Omit<RateDemand, 'errorRatio'> &
  Partial<Pick<RateDemand, 'errorRatio'>>

type OptionalName = 'clauses' | 'ceiling' | 'seconds' | 'connections' | 'engine'

/**
 * Defines a search for the highest rate at which 99 in 100 responses stay within `p99Ms`: it must
 * be no less than `perSecond`. It runs when nothing else does.
 */
export function capacity(options: CapacityOptions): CapacityScenario {
  insistOptions('capacity', options)
  const { perSecond, p99Ms, errorRatio = 0.001, ...rest } = options
  const { clauses = [], ceiling = 4, seconds = 60, connections = 50, engine = 'wire' } = rest
  return {
    ...rest,
    ...{ kind: 'capacity', clauses, ceiling, seconds, connections, engine },
    demand: { perSecond, p99Ms, errorRatio },
    alone: ['everything']
  }
}
