import type { Comparison } from '../../engine/comparison.ts'
import type { PairConclusion } from '../../verdict/judge-pair.ts'
import type { GateConclusion } from '../../verdict/pair-gate.ts'
import { toldInterval, toldRatios } from '../../verdict/pair-ratios.ts'
import type { PairFlags } from '../flags/compare-flags.ts'
import type { Known } from '../saved/calibration-file.ts'

/** The `--json` document; `ratio` is null when nothing was measured, `interval` without ends. */
export function comparisonDocument(
  comparison: Comparison,
  known: Known,
  { metric: gates, budget, seed }: Pick<PairFlags, 'metric' | 'budget' | 'seed'>
) {
  const [{ metric }] = gates
  const { ended, because, conclusion, confirmation, plan, rate, repeated } = comparison
  const { verdict = 'inconclusive', ratio = null } = conclusion ?? {}
  const toldGates = (of?: PairConclusion) =>
    of?.gates.map((gate) => ({ ...gate, interval: told(gate) }))
  const told = (of?: PairConclusion | GateConclusion) => (of && toldInterval(of.interval)) ?? null
  return {
    ...{ verdict, metric, ratio, interval: told(conclusion), blocks: conclusion?.blocks ?? 0 },
    gates: toldGates(conclusion),
    metrics: toldRatios(conclusion?.metrics ?? {}),
    errors: conclusion?.errors,
    shape: conclusion?.shape,
    worse: conclusion?.worse,
    waited: conclusion?.waited,
    answers: conclusion?.answers,
    unseen: conclusion?.unseen,
    calibration: 'record' in known ? known.record : null,
    ...{ ended, because, budget, seed, repeated, rate },
    furtherBlocks: conclusion?.furtherBlocks,
    confirmation: confirmation && {
      ratio: confirmation.ratio,
      interval: told(confirmation),
      gates: toldGates(confirmation)
    },
    plan: plan && {
      looks: plan.looks.at,
      resolvable: plan.resolvable,
      neededSeconds: plan.neededSeconds,
      gates: plan.gates,
      secondsPerBlock: plan.secondsPerBlock
    }
  }
}
