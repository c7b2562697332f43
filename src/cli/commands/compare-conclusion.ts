import type { Comparison } from '../../engine/comparison.ts'
import type { ComparisonProgress } from '../../engine/comparison-run.ts'
import { change, changes } from '../../report/quantity.ts'
import type { ComparisonFound, FoundFacts } from '../../verdict/command-found.ts'
import type { Outcome } from '../../verdict/outcome.ts'
import { type PairMetric, readings } from '../../verdict/pair-metric.ts'
import { toldInterval, toldRatios } from '../../verdict/pair-ratios.ts'
import type { Block } from '../../verdict/trial.ts'
import type { PairFlags } from '../flags/compare-flags.ts'
import type { CommandConclusion } from '../saved/command-run.ts'

/** What a comparison has measured so far. */
export type PairMemory = ReturnType<typeof createPairMemory>

/** Remembers the blocks of a comparison while it goes on, those that confirm apart. */
export function createPairMemory() {
  let first: readonly Block[] = []
  let again: readonly Block[] = []
  return {
    see(progress: ComparisonProgress): void {
      // One that ends early tells what it had, which may be more than was told before.
      if (progress.kind === 'ended' && first.length === 0) first = progress.blocks
      if (progress.kind !== 'measured') return
      if (progress.confirms) again = progress.blocks
      else first = progress.blocks
    },
    /** B/A of every pair in which both could be read, in the order taken. */
    ratios(metric: PairMetric): ComparisonFound['pairs'] {
      const read = (blocks: readonly Block[], confirms: boolean) =>
        readings(blocks.flat(), metric).map(({ a, b }) => ({ ratio: b / a, confirms }))
      return [...read(first, false), ...read(again, true)]
    }
  }
}

const saying: Record<string, string> = {
  regressed: 'B is worse than A',
  'slower-within-budget': 'B is slower than A, within the budget',
  'no-regression': 'B is not worse than A',
  improved: 'B is better than A',
  inconclusive: 'Whether B is worse than A cannot be told',
  refused: 'The time given cannot tell whether B is worse than A',
  invalid: 'The comparison could not be measured',
  interrupted: 'The comparison was interrupted'
}

/** What each metric that gates may be, as `p50 at most +5.0 %`. */
function demandText(gates: PairFlags['metric'], usual: number): string {
  return gates
    .map(({ metric, budget = usual }) => `${metric} at most ${change(1 + budget / 100)}`)
    .join(', ')
}

type Sides = { a: string; b: string; aCmd?: string; bCmd?: string; aName?: string; bName?: string }

/** What A and B are, whose names nobody else knows: where each is, and what it is begun by. */
function sideFacts({ a, b, aCmd, bCmd, aName, bName }: Sides): [name: string, text: string][] {
  const told = (url: string, command?: string, name?: string) =>
    [name && `${name}, `, url, command && `, begun by ${command}`].filter(Boolean).join('')
  return [
    ['A', told(a, aCmd, aName)],
    ['B', told(b, bCmd, bName)]
  ]
}

/** What a comparison came to, for a report; `outcome` is what its exit code says. */
export function comparisonConclusion(
  comparison: Comparison,
  asked: Sides & {
    gates: PairFlags['metric']
    budget: number
    memory: PairMemory
    outcome: Outcome
    facts: FoundFacts
  }
): CommandConclusion {
  const { a, b, gates, memory, outcome, facts } = asked
  const { ended, because, conclusion } = comparison
  const { ratio, metrics = {} } = conclusion ?? {}
  const interval = conclusion && toldInterval(conclusion.interval)
  // Of several that gate it is about the one that decides.
  const deciding = conclusion?.gates.find((one) => one.ratio === ratio)?.metric
  const gate = gates.find(({ metric }) => metric === deciding) ?? gates[0]
  const { metric, budget = asked.budget } = gate
  const pairs = memory.ratios(metric)
  const isSure = ratio !== undefined && interval !== undefined && ratio > 0
  const verdict = ended === 'decided' ? (conclusion?.verdict ?? ended) : ended
  const figures = isSure ? `: ${metric} ${change(ratio)} (${changes(interval)})` : ''
  return {
    clause: b,
    documented: `${demandText(gates, asked.budget)} worse than that of ${a}`,
    conclusion: { outcome, observed: `${saying[verdict] ?? verdict}${figures}`, because },
    found: {
      ...{ of: 'comparison', metric, budget, pairs, metrics: toldRatios(metrics) },
      facts: [...sideFacts(asked), ...facts],
      ...(isSure && { ratio, interval })
    }
  }
}
