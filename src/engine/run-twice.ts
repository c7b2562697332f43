import type { TwiceScenario } from '../scenario/scenario.ts'
import type { Finding } from './finding.ts'
import { runCheck } from './run-check.ts'

type Parts = Omit<Parameters<typeof runCheck>[0], 'scenario'>

/** Asks twice, and holds the second answer against the first. */
export function runTwice({ scenario, ...parts }: Parts & { scenario: TwiceScenario }) {
  const { ask, ...common } = scenario
  return runCheck({
    ...parts,
    scenario: {
      ...{ ...common, kind: 'check' },
      async run(context) {
        const [first, second] = [await ask(context), await ask(context)]
        const isSame = first.status === second.status && first.body === second.body
        for (const clause of scenario.clauses) context.verify(clause, isSame, first, second)
      }
    }
  }) satisfies Promise<Finding[]>
}
