import { percent } from '../number.ts'
import { type PairMetric, pairMetrics } from './pair-metric.ts'
import { type ShapeChange, shapeText } from './pair-shape.ts'

/** What may be worse beside what gates. */
export type Guard = PairMetric | 'shape' | 'errors'

/** What is surely worse though it does not gate, and the one that most is in words. */
export type Guarded = {
  metric: Guard
  metrics: Guard[]
  because: string
  /** It may well be chance, and has to be shown by all blocks together when seen again. */
  isSuspicion?: true
}

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
  mean: (ratio) => `B takes ${more(ratio, 'longer', 'long')} in the mean`,
  throughput: (ratio) => `B answers ${percent(1 - ratio)} fewer requests a second in all`,
  cpu: (ratio) => `B spends ${more(ratio, 'more', 'much')} processor time on a request`,
  rss: (ratio) => `B holds ${more(ratio, 'more', 'much')} memory`
}

/** A gate whose estimate is within this is the same in words. */
const same = 0.01

function gateText(metric: PairMetric, ratio: number): string {
  const name = metric === 'p50' ? 'the median' : metric
  const apart = Math.abs(ratio - 1)
  if (apart < same) return `${name} is the same`
  return `${name} is ${percent(apart)} ${ratio > 1 ? 'higher' : 'lower'} at best estimate`
}

/** What a mean says of requests, by how far the median went with it. */
function meanText(p50: { ratio: number } | undefined, ratio: number): string {
  if (p50 === undefined) return ''
  const isOfAll = Math.log(p50.ratio) >= Math.log(ratio) / 2
  return isOfAll ? ': requests are slower as a whole' : ': some requests stall'
}

/**
 * Of what does not gate that which surely is worse, if any: by its p-value, which is adjusted for
 * all metrics (Holm), and by its budget at best estimate. A change of shape comes first, since it
 * says what moved the figures; of those the one that is worse by most of its budget.
 */
export function guardedWorse(
  metrics: Partial<Record<PairMetric, { ratio: number; p: number }>>,
  given: {
    gating: readonly PairMetric[]
    budget: number
    /** By which something is found, and by which it is sure: found by less, it is a suspicion. */
    levels: { found: number; sure: number }
    /** That by which a shape is found, where it is another one. */
    shapeLevel?: number | undefined
    shape?: ShapeChange | undefined
    /** What is asked for; all where absent. */
    guards?: readonly Guard[] | undefined
  }
): Guarded | undefined {
  const { gating, budget, levels, shapeLevel = levels.found, shape, guards } = given
  const isAsked = (name: Guard) => guards === undefined || guards.includes(name)
  const names = (Object.keys(metrics) as PairMetric[]).filter(
    (name) => !gating.includes(name) && isAsked(name)
  )
  const over: { name: Guard; share: number; said: string }[] = names.flatMap((name) => {
    const { ratio, p } = metrics[name]!
    const by = pairMetrics[name].worse === 'more' ? Math.log(ratio) : -Math.log(ratio)
    const share = by / (budgets[name] * budget)
    return share >= 1 && p < levels.found ? [{ name, share, said: words[name](ratio) }] : []
  })
  if (shape && shape.p <= shapeLevel) {
    over.push({ name: 'shape', share: Infinity, said: shapeText(shape) })
  }
  over.sort((one, other) => other.share - one.share)
  const [most] = over
  if (most === undefined) return
  const [first] = gating
  const gate = first && metrics[first]
  const before = gate ? `${gateText(first, gate.ratio)}; ` : ''
  const after = most.name === 'mean' ? meanText(metrics.p50, metrics.mean!.ratio) : ''
  const chance = (name: Guard) => (name === 'shape' ? shape! : metrics[name as PairMetric]!).p
  const isSuspicion = over.every(({ name }) => chance(name) > levels.sure)
  return {
    metric: most.name,
    metrics: over.map(({ name }) => name),
    because: `${before}${most.said}${after}`,
    ...(isSuspicion && { isSuspicion })
  }
}
