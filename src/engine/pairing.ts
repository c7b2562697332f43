import { durationMs, type Load } from '../load/load.ts'
import type { Random } from '../random.ts'
import { lostByB } from '../verdict/pair-losses.ts'
import type { Block, Pair, TimedPair, Trial } from '../verdict/trial.ts'
import type { Deadline } from './deadline.ts'
import { AllLost } from './load-worker.ts'
import { createSilence, type Silence, surest } from './silence.ts'
import { unlessStopped } from './stop.ts'

/** One of the two targets of a comparison. */
export type Arm = 'a' | 'b'

/** The two targets of a comparison, as something that can be measured. */
export type Arms = {
  /** Makes fresh connections to both, and fresh processes where they are ours. */
  renew(): Promise<void>
  /** The first processes are warm: from the pairs so far it can be told how they are to run. */
  settle?(): void
  /**
   * One trial of each, in turns that are as short as they can be: request by request where that is
   * possible, else one after the other, with this one first.
   */
  pair(first: Arm, load: Load): Promise<Pair>
}

/**
 * Why a comparison ends early: on request, for want of fit trials, of a target that answers, or of
 * time; the last with what the pair showed that was under way.
 */
export class Ended extends Error {
  readonly how: 'interrupted' | 'invalid' | 'blocked' | 'time'
  readonly cut: Pair | undefined
  constructor(how: Ended['how'], because = '', cut?: Pair) {
    super(because)
    this.how = how
    this.cut = cut
  }
}

/** Takes pairs of trials, one on each target; throws `Ended`. */
export type Pairing = {
  /** Makes both targets anew. */
  renew(): Promise<void>
  /** As that of the arms. */
  settle(): void
  /** One pair, void or not. */
  once(load: Load): Promise<TimedPair>
  /** So many pairs, of which void ones are taken again. */
  block(load: Load, pairs: number): Promise<Block>
  /** The pairs that had to be taken again, as they were. */
  repeated(): readonly Pair[]
  /** The start that took much longer than others when the time was up. */
  delay(): string | undefined
  /** The target that left requests without an answer at the end: of both that which surely did. */
  silence(): Silence | undefined
  /** That B left requests without an answer and A did not, whenever that was, in words. */
  lost(): string | undefined
}

/** Lets a stop pass, as nothing; who is left without a sender keeps what was measured before. */
function unlessEnded(cause: unknown): undefined {
  if (cause instanceof AllLost) throw new Ended('invalid', `a worker was lost: ${cause.message}`)
  return unlessStopped(cause)
}

/** A pair of which one trial comes after the other. */
export async function oneByOne(first: Arm, trial: (arm: Arm) => Promise<Trial>): Promise<Pair> {
  const one = await trial(first)
  const other = await trial(first === 'a' ? 'b' : 'a')
  return first === 'a' ? { a: one, b: other } : { a: other, b: one }
}

/** Tells both silences of a pair: who was asked in its turn was silent no longer than that took. */
function hearBoth(
  silences: Record<Arm, ReturnType<typeof createSilence>>,
  pair: Pair,
  { tookMs, shouldMs }: { tookMs: number; shouldMs: number }
): void {
  for (const arm of ['a', 'b'] as const)
    silences[arm].hear(pair[arm], { tookMs: pair.tookMs?.[arm] ?? tookMs, shouldMs })
}

/** So many void pairs are bad luck; beyond them it is a share that counts. */
const luckless = 5
const mostRepeated = 0.2

/** The end where so many of those taken were void that it is no bad luck. */
function unfitBy(
  repeated: number,
  { taken, reasons }: { taken: number; reasons: readonly string[] }
): Ended | undefined {
  if (repeated <= Math.max(luckless, mostRepeated * taken)) return
  return new Ended('invalid', `${repeated} of ${taken} pairs were void: ${reasons.join('; ')}`)
}

/** What takes so many times as long as it should, or the longest before, is not late by chance. */
const muchLonger = 3

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/**
 * Pairs of the given targets. A pair of which one trial says nothing of its target is repeated,
 * with a new toss for the order, and counted; when that happens to more than one in five, the
 * machine is not fit to measure on.
 */
export function createPairing(options: {
  arms: Arms
  next: Random
  /** No pair is begun that would last beyond it. */
  deadline: Deadline
  /** Whether to end, on request or since the time is up. */
  stopped: () => boolean
  onRepeated: (reasons: readonly string[]) => void
}): Pairing {
  const { arms, next, deadline, stopped, onRepeated } = options
  let taken = 0
  const repeated: Pair[] = []
  let delay: string | undefined
  let longestMs: number | undefined
  const silences = { a: createSilence('A'), b: createSilence('B') }
  const ending = (meanwhile = '', cut?: Pair) => {
    if (stopped() && deadline.leftMs() > 0) return new Ended('interrupted', 'on request')
    return new Ended('time', `the time was up${meanwhile}`, cut)
  }
  const once = async (load: Load): Promise<TimedPair> => {
    if (stopped() || deadline.leftMs() < 2 * durationMs(load.phases)) throw ending()
    const atMs = 1_000 * deadline.seconds - deadline.leftMs()
    const pair = await arms.pair(next() < 0.5 ? 'a' : 'b', load).catch(unlessEnded)
    const tookMs = 1_000 * deadline.seconds - deadline.leftMs() - atMs
    if (pair) hearBoth(silences, pair, { tookMs, shouldMs: 2 * durationMs(load.phases) })
    if (pair && !stopped()) return { ...pair, atMs }
    throw ending(' while they were asked', pair)
  }
  const valid = async (load: Load): Promise<TimedPair> => {
    for (;;) {
      const pair = await once(load)
      taken++
      const reasons = [...pair.a.reasons, ...pair.b.reasons]
      if (reasons.length === 0) return pair
      repeated.push(pair)
      onRepeated(reasons)
      const unfit = unfitBy(repeated.length, { taken, reasons })
      if (unfit) throw unfit
    }
  }
  return {
    async renew() {
      if (stopped() || deadline.leftMs() === 0) throw ending()
      const leftMs = deadline.leftMs()
      const took = () => leftMs - deadline.leftMs()
      await arms.renew().catch((cause: Error) => {
        unlessEnded(cause)
        const usual = longestMs && `, for none before longer than ${seconds(longestMs)}`
        const isLate = took() > muchLonger * (longestMs ?? 0)
        if (cause.message !== '' && isLate)
          delay = `${cause.message}; it was waited for ${seconds(took())}${usual ?? ''}`
        throw ending(cause.message && `: ${cause.message}`)
      })
      longestMs = Math.max(longestMs ?? 0, took())
    },
    settle: () => arms.settle?.(),
    once,
    async block(load, pairs) {
      const block: TimedPair[] = []
      while (block.length < pairs) block.push(await valid(load))
      return block
    },
    repeated: () => repeated,
    delay: () => delay,
    silence: () => surest([silences.b.current(), silences.a.current()]),
    lost: () => lostByB({ a: silences.a.lost(), b: silences.b.lost() })
  }
}
