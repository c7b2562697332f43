import { presupposedBy } from '../../scenario/clause.ts'
import { shares } from '../../scenario/quotation.ts'
import type { Command } from '../command.ts'
import type { Document } from '../document.ts'
import { openDocument } from '../document.ts'
import { exit } from '../failure.ts'
import { type SelectionFlags, selectionFlags } from '../flags/run-flags.ts'
import { insistOnScenarios } from '../inventory.ts'
import { sharesText } from '../terminal/clauses-text.ts'

/** `plimsoll list`: the plan and the clauses it claims; sends nothing. */
export const command: Command<SelectionFlags> = {
  builder: (yargs) =>
    selectionFlags(yargs)
      .example('$0 list', 'the whole plan')
      .example('$0 list edge', 'the scenarios whose id begins with "edge"'),
  async handler({ ids = [], scenarios, tier, json }) {
    insistOnScenarios(scenarios)
    const document = await openDocument({ scenarios, ids, tier, cached: true })
    if (document.plan.units.some(({ fault }) => fault)) process.exitCode = exit.fault
    process.stdout.write(json ? `${JSON.stringify(asJson(document), null, 2)}\n` : asText(document))
  }
}

function claimed({ plan }: Document): Set<string> {
  return new Set(plan.units.flatMap(({ clauses }) => clauses))
}

function asJson(document: Document) {
  const { inventory, plan } = document
  const all = claimed(document)
  return {
    scenarios: plan.units.map((unit) => {
      const { scenario, key, title, kind, tier, needs, alone, clauses } = unit
      const presupposes = presupposedBy(clauses, inventory)
      return { scenario, key, title, kind, tier, needs, alone, clauses, presupposes }
    }),
    coverage: { clauses: inventory.size, claimed: all.size, ...shares(inventory) },
    unclaimed: [...inventory.keys()].filter((id) => !all.has(id))
  }
}

function asText(document: Document): string {
  const { inventory, loaded, plan } = document
  const lines: string[] = []
  for (const { id, scenario } of loaded) {
    const units = plan.units.filter((unit) => unit.scenario === id)
    const needs = scenario.needs?.length ? `  needs ${scenario.needs.join(', ')}` : ''
    lines.push(`${id}  [${scenario.kind}, ${scenario.tier ?? 'quick'}]${needs}`)
    lines.push(`  ${scenario.title}`)
    for (const clause of units.flatMap(({ clauses }) => clauses)) {
      const presupposes = inventory.get(clause)!.presupposes.join(', ')
      lines.push(`    ${clause}${presupposes && `  presupposes ${presupposes}`}`)
    }
  }
  lines.push('')
  lines.push(
    `${loaded.length} scenarios in ${plan.units.length} units claim ` +
      `${claimed(document).size} of ${inventory.size} clauses`
  )
  lines.push(sharesText(inventory, document.source?.file))
  return `${lines.join('\n')}\n`
}
