import type { ClauseRecord, Header, Report } from './record.ts'
import { repeatCommand } from './repeat.ts'

/** A clause without a verdict: why, and what asks about it, where anything does. */
export type Untested = { clause: ClauseRecord; because: string; command?: string }

/** The clauses of a run's document that no verdict is about, each with the reason. */
export function untestedOf({ header, verdicts, inventory = [], plan = [] }: Report): Untested[] {
  const judged = new Set(verdicts.map(({ clause }) => clause))
  const chosen = new Set(header.scenarios)
  const claiming = new Map<string, (typeof plan)[number][]>()
  for (const scenario of plan) {
    for (const id of scenario.clauses ?? []) {
      const those = claiming.get(id)
      if (those) those.push(scenario)
      else claiming.set(id, [scenario])
    }
  }
  return inventory
    .filter(({ id }) => !judged.has(id))
    .map((clause) => {
      const scenarios = claiming.get(clause.id) ?? []
      const scenario = scenarios.find(({ id }) => chosen.has(id)) ?? scenarios[0]
      if (scenario === undefined) return { clause, because: 'no scenario asks about it' }
      const { id, tier = 'quick' } = scenario
      const command = repeatCommand(header, id)
      if (chosen.has(id)) return { clause, because: `the run did not get to ${id}`, command }
      if (tier === 'quick') return { clause, because: `${id} was not chosen`, command }
      const because = `${id} takes longer: it is of the tier ${tier}`
      return { clause, because, command: repeatCommand(ofTier(header, tier), id) }
    })
}

/** What a run was told, but for its tier. */
function ofTier(header: Header, tier: string): Header {
  const { flags = [] } = header
  const others = flags.filter((flag, at) => flag !== '--tier' && flags[at - 1] !== '--tier')
  return { ...header, flags: [...others, '--tier', tier] }
}
