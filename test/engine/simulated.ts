import { type Comparison, compare } from '../../src/engine/comparison.ts'
import { pairsPerProcess } from '../../src/engine/comparison-run.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { closed } from '../../src/load/load.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import type { Fault } from '../verdict/served.ts'
import { noiseModels, noisyArms } from './noise-models.ts'

/** One comparison in virtual time; effects and budgets are shares, such as 0.05. */
export type Simulated = {
  model: string
  by: 'command' | 'url'
  slower: number
  budget: number
  seconds: number
  seed: number
  /** Noise of a trial's own, and pairs on the same two processes; as usual unless given. */
  sd?: number
  pairs?: number
  /** What it takes to start both, in milliseconds. */
  startMs?: number
  /** A fault of B by name, or `none`: requests are simulated one by one. */
  fault?: string
}

/** What B may do besides, or both. */
export const faults: Record<string, Fault> = {
  none: {},
  stall: { stallMs: 80 },
  tail: { mode: { share: 0.01, times: 10 } },
  mode: { mode: { share: 0.005, times: 12 } },
  errors: { failShare: 0.005 },
  failing: { failShare: 0.05 },
  'both fail': { failShare: 0.02, isAlike: true },
  memory: { rss: 1.2 },
  cpu: { cpu: 1.1 }
}

/** What came of it. */
export type SimulatedOutcome = {
  verdict: string
  /** What was worse beside the gate. */
  worse?: string
  isCovered: boolean
  /** Virtual seconds until the verdict. */
  seconds: number
}

/** Carries out a comparison of simulated targets: the project's own procedure from end to end. */
export async function simulatedComparison(given: Simulated) {
  const { model, by, slower, budget, seconds, seed, sd, startMs } = given
  const { pairs = pairsPerProcess(seconds) } = given
  const fault = given.fault === undefined ? undefined : faults[given.fault]!
  const areStarted = by === 'command'
  const simulation = { seed, slower, areStarted, sd, startMs, fault }
  const { arms, clock } = noisyArms(noiseModels[model]!, simulation)
  const comparison = await compare({
    ...{ arms, clock, seed, metric: 'p50', deadline: createDeadline(seconds, { clock }) },
    loadFor: (seconds) => closed({ connections: 1, seconds }),
    margins: { nothing: Math.log1p(Math.min(0.01, budget / 2)), budget: Math.log1p(budget) },
    pairsPerBlock: areStarted ? pairs : 1,
    stopped: () => false,
    onProgress() {}
  })
  return { comparison, seconds: clock.now() / 1_000 }
}

/** What a simulated comparison comes to. */
export async function simulated(given: Simulated): Promise<SimulatedOutcome> {
  const { comparison, seconds } = await simulatedComparison(given)
  return { ...judged(comparison, 1 + given.slower), seconds }
}

function judged({ ended, conclusion }: Comparison, truth: number) {
  const [low, high] = conclusion?.interval ?? [0, Infinity]
  const verdict = ended === 'decided' ? conclusion!.verdict : ended
  const { worse } = conclusion ?? {}
  return {
    verdict,
    isCovered: low <= truth && truth <= high,
    ...(worse && { worse: worse.metric })
  }
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
