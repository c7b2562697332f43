import type { Fault } from '../fault.ts'
import type { Limit } from '../limit/limit.ts'
import type {
  CapacityScenario,
  LoadScenario,
  Scenario,
  SoakScenario
} from '../scenario/scenario.ts'
import type { Tier } from '../scenario/tier.ts'

/** One piece of work for one worker thread, as plain data. */
export type Unit = {
  scenario: string
  file: string
  kind: Scenario['kind']
  title: string
  /** Key of `each`; '' where a scenario is one unit. */
  key: string
  clauses: string[]
  /** Those among the clauses that are recorded and not judged. */
  observes?: string[]
  /** The documented number, where the unit asks for one. */
  limit?: Limit
  /** Where a limit is asked about by HTTP/2 alone. */
  transport?: 'http2'
  /** How to load the target and what it must achieve, where the unit is a load. */
  load?: Pick<LoadScenario, 'load' | 'transport' | 'objectives'>
  /** Which rate it must hold, and how to search for it, where the unit is such a search. */
  capacity?: Pick<CapacityScenario, 'demand' | 'ceiling' | 'seconds' | 'connections' | 'transport'>
  /** How to load it and what must not grow, where the unit is a soak. */
  soak?: Pick<SoakScenario, 'load' | 'budgets' | 'transport'> & { tells: 'figures' | 'nothing' }
  /** Why nothing is known of the scenario, whose work this would be. */
  fault?: Fault
  needs: string[]
  alone: string[]
  tier: Tier
}

/** Whether all that a unit sends goes by HTTP/2, which it can ask for from the first byte on. */
export function asksByHttp2({ load, capacity, soak, transport }: Unit): boolean {
  return ((load ?? capacity ?? soak)?.transport ?? transport) === 'http2'
}
