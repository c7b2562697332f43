import type { Planned } from '../../engine/reader.ts'
import type { ClauseRecord, Report, ScenarioRecord } from '../../report/record.ts'
import { documentedText } from '../../scenario/clause.ts'
import type { Subject } from '../../verdict/subject.ts'
import type { Document } from '../document.ts'

/** What a document and its folder hold, as a run keeps it: nobody needs the folder afterwards. */
export type Contents = Required<Pick<Report, 'inventory' | 'plan'>>

/** The contents of a document at hand. */
export function contentsOf({ inventory, found, planned }: Document): Contents {
  const known = new Map(planned.map((one) => [one.id, one]))
  return {
    inventory: [...inventory.values()].map((clause): ClauseRecord => {
      const { id, kind, unit, derived, quote, section, lines } = clause
      const { source, pointer, plan, restates, presupposes, notes } = clause
      return {
        ...{ t: 'clause', id, kind, documented: documentedText(clause) },
        ...(unit && { unit }),
        ...{ ...(derived && { derived }), ...(quote && { quote }), section, lines },
        ...{ ...(source && { source }), ...(pointer && { pointer }) },
        ...{ ...(plan && { plan }), ...(restates && { restates }), ...(notes && { notes }) },
        ...(presupposes.length > 0 && { presupposes })
      }
    }),
    plan: found.map(({ id }): ScenarioRecord => {
      const scenario = known.get(id)
      return { t: 'scenario', id, ...(scenario && ofItself(scenario)) }
    })
  }
}

/** What a scenario says of itself. */
function ofItself({ scenario, units }: Planned): Partial<ScenarioRecord> {
  const { title, tier = 'quick' } = scenario
  return { title, tier, clauses: [...new Set(units.flatMap(({ clauses }) => clauses))] }
}

/** The contents of a saved run, where it tells them. */
export function contentsIn({ inventory, plan }: Report): Contents | undefined {
  return inventory && plan && { inventory, plan }
}

/** What scenarios say they are about, where they do: their clauses, or themselves. */
export function claimsIn({ plan }: Contents): Required<Subject>[] {
  return plan.flatMap(({ id, clauses }) => {
    const subjects = clauses?.length === 0 ? [id] : (clauses ?? [])
    return subjects.map((clause) => ({ scenario: id, clause }))
  })
}

/** Whether a run left no scenario out but those of a longer tier. */
export function isWhole({ plan }: Contents, scenarios: readonly string[]): boolean {
  const run = new Set(scenarios)
  return plan.every(({ id, tier }) => run.has(id) || (tier !== undefined && tier !== 'quick'))
}
