import type { Load } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import type { LastingTransport } from '../load/transport.ts'
import type { AskingContext } from './asking.ts'
import type { Context } from './context.ts'
import { insistOptions } from './insist.ts'
import type { Common } from './scenario.ts'

/** A scenario that loads a target for long; what has a budget must not grow beyond it. */
export type SoakScenario = Common & {
  kind: 'soak'
  /** Clauses the budgets decide; without any it is judged by itself. */
  clauses: string[]
  /** One level from beginning to end. */
  load: Load
  /**
   * Growth in an hour that is let through, as a share of the level after warm-up, by metric: `p50`,
   * `p99`, `errors`, `throughput`, and whatever `figures` tells.
   */
  budgets: Record<string, number>
  /** What the target tells of itself, such as its memory; asked once a second. */
  figures?: (context: Context) => Promise<Record<string, number>>
  engine: LastingTransport
  /** The requests, asked in turn; all to one endpoint. */
  request: (context: AskingContext) => Request | Request[]
}

type SoakOptions = Omit<SoakScenario, 'kind' | 'alone' | 'clauses' | 'engine'> &
  Partial<Pick<SoakScenario, 'clauses' | 'engine'>>

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
  insistOptions('soak', options)
  const problem = misfit(options.load)
  if (problem) throw new RangeError(problem)
  const { clauses = [], engine = 'wire' } = options
  return { kind: 'soak', ...options, clauses, engine, alone: ['everything'] }
}
