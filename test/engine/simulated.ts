import { type Comparison, compare } from '../../src/engine/comparison.ts'
import { pairsPerProcess } from '../../src/engine/comparison-run.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { closed } from '../../src/load/load.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { noiseModels, noisyArms } from './noise-models.ts'

/** One comparison in virtual time; effects and budgets are shares, such as 0.05. */
export type Simulated = {
  model: string
  by: 'command' | 'url'
  slower: number
  budget: number
  seconds: number
  seed: number
}

/** What came of it. */
export type SimulatedOutcome = {
  verdict: string
  isCovered: boolean
  /** Virtual seconds until the verdict. */
  seconds: number
}

/** Carries out a comparison of simulated targets: the project's own procedure from end to end. */
export async function simulated(given: Simulated): Promise<SimulatedOutcome> {
  const { model, by, slower, budget, seconds, seed } = given
  const areStarted = by === 'command'
  const { arms, clock } = noisyArms(noiseModels[model]!, { seed, slower, areStarted })
  const comparison = await compare({
    ...{ arms, clock, seed, metric: 'p50', deadline: createDeadline(seconds, { clock }) },
    loadFor: (seconds) => closed({ connections: 1, seconds }),
    margins: { nothing: Math.log1p(Math.min(0.01, budget / 2)), budget: Math.log1p(budget) },
    pairsPerBlock: areStarted ? pairsPerProcess(seconds) : 1,
    stopped: () => false,
    onProgress() {}
  })
  return { ...judged(comparison, 1 + slower), seconds: clock.now() / 1_000 }
}

function judged({ ended, conclusion }: Comparison, truth: number) {
  const [low, high] = conclusion?.interval ?? [0, Infinity]
  const verdict = ended === 'decided' ? conclusion!.verdict : ended
  return { verdict, isCovered: low <= truth && truth <= high }
}

/** How often it came to what, with 95 % bounds of the share. */
export function share(
  outcomes: readonly SimulatedOutcome[],
  is: (one: SimulatedOutcome) => boolean
) {
  const events = outcomes.filter(is).length
  const draws = outcomes.length
  return { events, draws, ...clopperPearson({ events, draws, confidence: 0.95 }) }
}
