import { percent } from '../number.ts'
import { type PairMetric, pairMetrics } from './pair-metric.ts'

/** Metrics that are surely worse though they do not gate, and the one that most is in words. */
export type Guarded = { metric: PairMetric; metrics: PairMetric[]; because: string }

/** How many budgets each may be worse by; tails and memory differ more by nature. */
const budgets: Record<PairMetric, number> = {
  ...{ p50: 1, p90: 2, p99: 2, mean: 1 },
  ...{ throughput: 1, cpu: 1, rss: 2 }
}

/** How many times as much, such as "3.0 times as long" or "8.2 % longer". */
function more(ratio: number, comparative: string, equative: string): string {
  return ratio < 1.5
    ? `${percent(ratio - 1)} ${comparative}`
    : `${ratio.toFixed(1)} times as ${equative}`
}

const words: Record<PairMetric, (ratio: number) => string> = {
  p50: (ratio) => `B's median takes ${more(ratio, 'longer', 'long')}`,
  p90: (ratio) => `the slowest tenth of B's requests takes ${more(ratio, 'longer', 'long')}`,
  p99: (ratio) => `the slowest hundredth of B's requests takes ${more(ratio, 'longer', 'long')}`,
  mean: (ratio) => `B takes ${more(ratio, 'longer', 'long')} in the mean: some requests stall`,
  throughput: (ratio) => `B answers ${percent(1 - ratio)} fewer requests a second in all`,
  cpu: (ratio) => `B spends ${more(ratio, 'more', 'much')} processor time on a request`,
  rss: (ratio) => `B holds ${more(ratio, 'more', 'much')} memory`
}

/**
 * Of the metrics that do not gate those that surely are worse, by most of its budget first, if any:
 * by its p-value, which is adjusted for all of them (Holm), and by its budget at best estimate.
 */
export function guardedWorse(
  metrics: Partial<Record<PairMetric, { ratio: number; p: number }>>,
  { gating, budget, level }: { gating: PairMetric; budget: number; level: number }
): Guarded | undefined {
  const names = (Object.keys(metrics) as PairMetric[]).filter((name) => name !== gating)
  const over = names.flatMap((name) => {
    const { ratio, p } = metrics[name]!
    const by = pairMetrics[name].worse === 'more' ? Math.log(ratio) : -Math.log(ratio)
    const share = by / (budgets[name] * budget)
    return share >= 1 && p < level ? [{ name, ratio, share }] : []
  })
  over.sort((one, other) => other.share - one.share)
  const [most] = over
  if (most === undefined) return
  const gate = metrics[gating]
  const same = gate
    ? `${gating} is ${percent(Math.abs(gate.ratio - 1))} apart at best estimate; `
    : ''
  const found = over.map(({ name }) => name)
  return { metric: most.name, metrics: found, because: `${same}${words[most.name](most.ratio)}` }
}
