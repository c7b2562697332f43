import type { Comparison } from '../../engine/comparison.ts'
import type { Deadline } from '../../engine/deadline.ts'
import { percent } from '../../number.ts'
import { robustDeviation } from '../../statistics/deviation.ts'

/**
 * By how much the processor time of the same work differs from one slice of it to the next, as the
 * standard deviation of the logarithm: of work whose data a core has for itself, and of one whose
 * data only fit a cache that processors share.
 */
export type WorkNoise = { own: number; shared: number }

/** Bytes of the two: less than any core's second cache, and more than that. */
const sizes = { own: 16 * 1_024, shared: 4 * 1_024 * 1_024 }

/** Shorter slices are told by the clock more than by the work. */
const sliceMs = 25

/** Steps between two looks at the clock, which take a fraction of a millisecond. */
const stepsAtOnce = 4_000

/** A walk from word to word, none of which can be fetched before the one before is there. */
function walk(bytes: number): () => void {
  const words = bytes / Int32Array.BYTES_PER_ELEMENT
  const next = Int32Array.from({ length: words }, (_, at) => (at * 7_919 + 12_345) & (words - 1))
  let at = 0
  return () => {
    for (let step = 0; step < stepsAtOnce; step++) at = (next[at]! + step) & (words - 1)
  }
}

/** Logarithms of the processor time that each slice's work took, piece by piece. */
function slices(work: () => void, forMs: number): number[] {
  return Array.from({ length: Math.max(3, Math.round(forMs / sliceMs)) }, () => {
    const [began, before] = [performance.now(), process.cpuUsage()]
    let pieces = 0
    do {
      work()
      pieces++
    } while (performance.now() - began < sliceMs)
    const { user, system } = process.cpuUsage(before)
    return Math.log((user + system) / pieces)
  })
}

function noiseOf(work: () => void, forMs: number): number {
  // The first ones are not compiled yet.
  const [, , ...logs] = slices(work, forMs)
  return robustDeviation(logs.slice(1).map((log, before) => log - logs[before]!)) / Math.SQRT2
}

/** The same in words. */
export function workNoiseText({ own, shared }: WorkNoise): string {
  const inAll = `, by ${percent(shared)} where its data fit a shared cache only`
  return `the same work differs by ${percent(own)} from one ${sliceMs} ms to the next${inAll}`
}

/**
 * Works for so long, and keeps a core busy with it. What it finds is the machine's own: the work is
 * the same each time, waits for nothing and leaves no garbage.
 */
export function workNoise(forMs: number): WorkNoise {
  const [own, shared] = [sizes.own, sizes.shared].map((bytes) => noiseOf(walk(bytes), forMs / 2))
  return { own: own!, shared: shared! }
}

/** How long it is looked for whose noise it is. */
const noiseMs = 1_500

/**
 * By how much the same work differs here, also in words, of a comparison that was refused for its
 * noise before its time was up: whether a quieter machine would help is the next question.
 */
export function noiseBehind(
  { ended, plan }: Comparison,
  deadline: Deadline
): { workNoise?: WorkNoise; machine?: string } {
  const isForNoise = ended === 'refused' && plan !== undefined
  if (!isForNoise || deadline.leftMs() <= noiseMs) return {}
  const found = workNoise(noiseMs)
  return { workNoise: found, machine: workNoiseText(found) }
}
