import { shapeCellUs } from '../load/figures/histogram.ts'
import { percent } from '../number.ts'
import { binomialTail } from '../statistics/binomial.ts'
import { median } from '../statistics/quantile.ts'
import type { Block, Pair, Trial } from './trial.ts'

/** A target stands still where a request takes so long, and so many times its median. */
export const stall = { leastMs: 500, times: 10 }

/**
 * What stands still on one side so many times as often as on the other is no chance, where it is
 * that for so much of the time, or so often that chance would have it as rarely. What does so once
 * has to do it for longer than a busy machine would have it.
 */
const oneSided = { times: 3, share: 0.15, onceMs: 1_000, chance: 0.05 }

/** For how long one side stood still each time, in all and at the longest, and of how much time. */
type Stalls = { each: readonly number[]; ms: number; longestMs: number; ofMs: number }

/**
 * The longest that an answer of a trial took; who waits at once with it waits for the same. What
 * had none at all is lost, which is told by itself.
 */
const longestMs = ({ shape = {}, errors }: Trial) =>
  errors.timeout ? 0 : shapeCellUs(Math.max(0, ...Object.keys(shape).map(Number))) / 1_000

/**
 * What is looked at: of pairs that were taken again those that somebody stood still in for longer
 * than a busy machine would have it, which may be why.
 */
function lookedAt(blocks: readonly Block[], again: readonly Pair[]): Block[] {
  const long = again.filter(({ a, b }) => Math.max(longestMs(a), longestMs(b)) >= oneSided.onceMs)
  return [...blocks, ...long.map((pair) => [pair])]
}

function stallsOf(blocks: readonly Block[], arm: 'a' | 'b'): Stalls {
  const trials = blocks.flatMap((pairs) => pairs.map((pair) => pair[arm]))
  const usualUs = median(trials.flatMap(({ p50Us }) => p50Us ?? [])) || 0
  const least = Math.max(stall.leastMs, (stall.times * usualUs) / 1_000)
  const each = trials.map(longestMs).filter((ms) => ms >= least)
  const answered = trials.filter(({ perSecond }) => perSecond > 0)
  return {
    each,
    ms: each.reduce((sum, ms) => sum + ms, 0),
    longestMs: Math.max(0, ...each),
    ofMs: answered.reduce((sum, trial) => sum + (1_000 * trial.requests) / trial.perSecond, 0)
  }
}

/**
 * That B alone stands still now and then, in words; else undefined. Whoever asks one request after
 * the other meets each stall with one of them, however long it is: time tells of it, and no share
 * of requests. `again` are pairs that were taken again.
 */
export function stalledByB(
  blocks: readonly Block[],
  again: readonly Pair[] = []
): string | undefined {
  const all = lookedAt(blocks, again)
  const [a, b] = [stallsOf(all, 'a'), stallsOf(all, 'b')]
  const { times, share, onceMs, chance } = oneSided
  const [ofA, ofB] = [a.each.length, b.each.length]
  if (ofB === 0 || ofB < times * ofA) return
  // What befalls both alike falls to each by the time it is asked when it does not stand still.
  const usually = ({ ofMs, ms }: Stalls) => Math.max(1, ofMs - ms)
  const probability = usually(b) / (usually(a) + usually(b))
  const isChance = binomialTail(ofB, { draws: ofA + ofB, probability }) >= chance
  // Where A stands still for as long now and then it has to be more than chance.
  const isAlone = a.each.every((ms) => ms < b.longestMs / times)
  const isLong = isAlone && b.ms - a.ms >= share * b.ofMs && (ofB > 1 || b.ms >= onceMs)
  if (isChance && !isLong) return
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const often = (times: number) => (times === 1 ? 'once' : `${times} times`)
  const told = `${seconds(b.ms)} of ${seconds(b.ofMs)} (${percent(b.ms / b.ofMs, 2)})`
  const other = ofA === 0 ? 'A never' : `A ${often(ofA)}, for ${seconds(a.ms)}`
  const longest = `${seconds(b.longestMs)} at most`
  return `B stood still ${often(ofB)}, for ${told} and ${longest}, and ${other}`
}
