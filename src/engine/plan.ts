import {
  type Clause,
  documentedReadings,
  documentedText,
  type Inventory
} from '../scenario/clause.ts'
import type { Loaded } from '../scenario/find.ts'
import { circle, precedence } from './precedence.ts'
import type { Unit } from './unit.ts'

/** What a run will do, and what is wrong with what it was asked to do. */
export type Plan = { units: Unit[]; problems: string[] }

function unitsOf({ id, file, scenario }: Loaded, inventory: Inventory): Unit[] {
  const { kind, title, needs = [], alone = [], tier = 'quick' } = scenario
  const common = { scenario: id, file, kind, title, needs, alone, tier }
  if (scenario.kind === 'load') {
    const { clauses, load, transport, objectives } = scenario
    return [{ ...common, key: '', clauses, load: { load, transport, objectives } }]
  }
  if (scenario.kind === 'capacity') {
    const { clauses, demand, ceiling, seconds, connections, transport } = scenario
    const capacity = { demand, ceiling, seconds, connections, transport }
    return [{ ...common, key: '', clauses, capacity }]
  }
  if (scenario.kind === 'soak') {
    const { clauses, load, budgets, transport, figures } = scenario
    const tells = figures ? ('figures' as const) : ('nothing' as const)
    return [{ ...common, key: '', clauses, soak: { load, budgets, transport, tells } }]
  }
  if (scenario.kind !== 'limit') {
    const { clauses, observes } = scenario
    return [{ ...common, key: '', clauses, observes }]
  }
  return Object.entries(scenario.each).map(([key, max]) => {
    const clause = scenario.clause(key)
    const entry = inventory.get(clause)
    const readings = entry ? documentedReadings(entry) : [max]
    return {
      ...common,
      key,
      clauses: [clause],
      limit: { clause, max, unit: scenario.unit, readings },
      transport: scenario.transport
    }
  })
}

/** Why a documented number does not fit the clause it is claimed for; undefined when it does. */
function mismatch(said: number, clause: Clause): string | undefined {
  const readings = documentedReadings(clause)
  if (readings.includes(said)) return
  const means = readings.length > 0 ? ` (${readings.join(' or ')})` : ', which is no number'
  return `says ${said} for "${clause.id}", but the inventory says ${documentedText(clause)}${means}`
}

function problemsOf(loaded: Loaded, inventory: Inventory): string[] {
  const { id, scenario } = loaded
  const claimed = unitsOf(loaded, inventory).flatMap(({ clauses, key }) =>
    clauses.map((clause) => ({ clause, key }))
  )
  const problems = claimed.flatMap(({ clause, key }) => {
    const entry = inventory.get(clause)
    if (!entry) return [`claims "${clause}", which is not in clauses.json`]
    return scenario.kind === 'limit' ? (mismatch(scenario.each[key]!, entry) ?? []) : []
  })
  // A load may claim none, and is judged by itself.
  if (claimed.length === 0 && !('request' in scenario))
    problems.push('claims no clause: name at least one in `clauses`')
  return problems.map((problem) => `${id} ${problem}`)
}

/** The work for the given scenarios, in their order; sends nothing and reads nothing. */
export function plan(scenarios: readonly Loaded[], inventory: Inventory): Plan {
  const units = scenarios.flatMap((loaded) => unitsOf(loaded, inventory))
  const problems = scenarios.flatMap((loaded) => problemsOf(loaded, inventory))
  return { units, problems: [...problems, ...waitingProblems(units, inventory)] }
}

/** Scenarios of which each judges what another one presupposes: they can have no order. */
export function waitingProblems(units: readonly Unit[], inventory: Inventory): string[] {
  const waiting = circle(precedence(units, inventory))
  if (waiting === undefined) return []
  const way = waiting.map(({ scenario }) => scenario).join(' waits for ')
  return [`${way}, by what their clauses presuppose: judge these clauses in scenarios of their own`]
}

/** The units that claim one of the given clauses. */
export function claiming(units: readonly Unit[], clauses: readonly string[]): Unit[] {
  return units.filter((unit) => unit.clauses.some((clause) => clauses.includes(clause)))
}
