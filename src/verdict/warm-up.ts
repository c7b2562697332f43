import { robustDeviation } from '../statistics/deviation.ts'
import { warmUpLength } from '../statistics/mser.ts'
import { median } from '../statistics/quantile.ts'
import type { Block, Pair, Trial } from './trial.ts'

/** The beginning of a load that was slower than the rest of it, by medians. */
export type WarmUp = { untilMs: number; p50Us: number; laterUs: number }

/** How much slower a beginning has to be to be worth a word. */
const notable = 1.1

/** A stretch of a load; null where nothing came back. */
type Stretch = { toMs: number; p50Us: number | null }

/** What of a load was warm-up; undefined where nothing notable was, or it never settled. */
export function warmUpOf(stretches: readonly Stretch[]): WarmUp | undefined {
  const told = stretches.filter(({ p50Us }) => p50Us !== null)
  const medians = told.map(({ p50Us }) => p50Us!)
  const length = warmUpLength(medians)
  if (length === undefined || length === 0) return
  const p50Us = median(medians.slice(0, length))
  const laterUs = median(medians.slice(length))
  if (p50Us < notable * laterUs) return
  return { untilMs: told[length - 1]!.toMs, p50Us, laterUs }
}

/**
 * A process is watched by so many trials at least, of which such a share is held against as many
 * before; it gains nothing more below so much, and is seen to do so after so many trials in a row:
 * one look finds by luck what it looks for.
 */
const settled = { fewest: 6, share: 3 / 8, gain: Math.log(1.02), inARow: 3 }

/** Whether the last of some medians are no faster than as many before, but for noise. */
function gainsNothing(medians: readonly number[]): boolean {
  const part = Math.floor(settled.share * medians.length)
  if (part === 0) return true
  const logs = medians.slice(-2 * part).map(Math.log)
  // What one trial differs from the next by is noise; its root of two and that of the means cancel.
  const noise = robustDeviation(logs.slice(1).map((log, before) => log - logs[before]!))
  const gain = median(logs.slice(0, part)) - median(logs.slice(part))
  return gain <= Math.max(settled.gain, noise / Math.sqrt(part))
}

/**
 * Whether a process got no faster in the last of its trials than in as many before, nor had without
 * the last one or two; false of too few, true of one that answers nothing.
 */
export function hasSettled(trials: readonly Trial[]): boolean {
  if (trials.length < settled.fewest + settled.inARow - 1) return false
  return Array.from({ length: settled.inARow }, (_, last) => trials.length - last).every((count) =>
    gainsNothing(trials.slice(0, count).flatMap(({ p50Us }) => p50Us ?? []))
  )
}

/** Whether both of some pairs' processes have. */
export const haveSettled = (pairs: readonly Pair[]) =>
  (['a', 'b'] as const).every((arm) => hasSettled(pairs.map((pair) => pair[arm])))

/** How many response times are in each cell, in all of these trials. */
function shapeOfAll(trials: readonly Trial[]): Record<number, number> {
  const all: Record<number, number> = {}
  for (const { shape = {} } of trials) {
    for (const cell in shape) all[cell] = (all[cell] ?? 0) + shape[cell]!
  }
  return all
}

/**
 * A block, and what its processes answered while they warmed up, from when they had settled: that
 * is asked of the same code, and what befalls few requests is seen by many only.
 */
export function withSettled(block: Block, warmedUp: readonly Pair[]): Block {
  const [first, ...rest] = block
  if (first === undefined || !haveSettled(warmedUp)) return block
  const last = warmedUp.slice(-Math.floor(settled.share * warmedUp.length))
  const valid = last.filter(({ a, b }) => a.reasons.length + b.reasons.length === 0)
  const { a, b } = first
  const of = (arm: 'a' | 'b') => ({ warmShape: shapeOfAll(valid.map((pair) => pair[arm])) })
  return [{ ...first, a: { ...a, ...of('a') }, b: { ...b, ...of('b') } }, ...rest]
}
