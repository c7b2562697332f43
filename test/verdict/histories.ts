import { random } from '../../src/random.ts'
import type { HistoryEntry } from '../../src/verdict/history.ts'
import { normals } from '../statistics/noise.ts'

/** Half the width of an interval at 95 %, of ratios known to within one per cent. */
const reach = 1.96 * 0.01

/** A comparison of one build with another. */
export function entry(a: string, b: string, ratio: number): HistoryEntry {
  const around = (ratio: number): { ratio: number; interval: [number, number] } => {
    return { ratio, interval: [ratio * Math.exp(-reach), ratio * Math.exp(reach)] }
  }
  return {
    ...{ schema: 'plimsoll-history/1', at: '2026-11-21T10:00:00.000Z', a, b },
    ...{ verdict: 'no-regression', metric: 'p50', confidence: 0.95, host: 'some CPU × 2' },
    metrics: { p50: around(ratio), throughput: around(1 / ratio) }
  }
}

/** A chain of builds, each with what it changes on the log scale, measured to one per cent. */
export function chain(count: number, change: (n: number) => number, seed = 1): HistoryEntry[] {
  const noise = normals(random(seed, 'history'))
  return Array.from({ length: count }, (_, n) =>
    entry(`b${n}`, `b${n + 1}`, Math.exp(change(n + 1) + 0.01 * noise()))
  )
}
