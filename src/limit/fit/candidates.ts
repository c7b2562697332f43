import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'
import { bucketFit, tickedBucketFit } from './bucket-fit.ts'
import {
  counterFit,
  counterOfAllFit,
  ownCounterFit,
  ownCounterOfAllFit,
  roundingFit
} from './counter-fit.ts'
import { logFit, logOfAllFit } from './log-fit.ts'
import { bucketOfAllFit, renewedBanFit } from './renewed-fit.ts'
import type { WindowedAlgorithm } from './stated-limiter.ts'
import { anchoredFit, clockFit } from './window-fit.ts'

/** A kind of limiter that may have decided so. */
export type FittedKind = {
  /** In the words of what is told; `other` for what only keeps others from being told. */
  algorithm: WindowedAlgorithm | 'other'
  fits: Fit
  /** What its windows begin with, where that is known of the kind. */
  anchor?: 'clock' | 'first-request'
  countsRefused?: true
}

/** Those whose state depends on what they took. */
export const forgetting: readonly FittedKind[] = [
  { algorithm: 'fixed-window', fits: anchoredFit, anchor: 'first-request' },
  { algorithm: 'fixed-window', fits: clockFit, anchor: 'clock' },
  { algorithm: 'sliding-log', fits: logFit },
  { algorithm: 'sliding-counter', fits: counterFit, anchor: 'clock' },
  { algorithm: 'sliding-counter', fits: ownCounterFit, anchor: 'first-request' },
  { algorithm: 'token-bucket', fits: bucketFit },
  { algorithm: 'token-bucket', fits: tickedBucketFit }
]

/** Those whose state depends on all that they were asked. */
export const counting: readonly FittedKind[] = [
  { algorithm: 'sliding-log', fits: logOfAllFit, countsRefused: true },
  {
    algorithm: 'sliding-counter',
    fits: ownCounterOfAllFit,
    anchor: 'first-request',
    countsRefused: true
  },
  { algorithm: 'sliding-counter', fits: counterOfAllFit, anchor: 'clock', countsRefused: true },
  { algorithm: 'token-bucket', fits: bucketOfAllFit, countsRefused: true },
  { algorithm: 'other', fits: renewedBanFit, countsRefused: true }
]

/** Counters by the clock or from the first request, that round down or do not: one of each. */
export const counters: readonly FittedKind[] = (['down', 'none'] as const).flatMap((rounding) =>
  (['clock', 'first-request'] as const).map((anchor) => {
    return {
      ...{ algorithm: 'sliding-counter' as const, anchor },
      fits: roundingFit(anchor === 'first-request', rounding)
    }
  })
)

/** A kind, how many it takes at once, and a span in which its window may lie, in ms. */
export type FittedLimiter = { kind: FittedKind; size: number; window: Span }

/** How long the spans are that are tried at first and at last, as parts of a window. */
const [coarse, fine] = [0.04, 0.004]

/** Of how many at most each span is halved. */
const mostHalved = 150

/** All of some kinds with so many at once and a window in a span. */
export function candidatesOf(
  kinds: readonly FittedKind[],
  sizes: readonly number[],
  windows: Span
): FittedLimiter[] {
  const count = Math.ceil(Math.log(windows.to / windows.from) / Math.log(1 + coarse))
  return Array.from({ length: count }, (_, nth) => {
    const from = windows.from * (1 + coarse) ** nth
    const window = { from, to: from * (1 + coarse) }
    return kinds.flatMap((kind) => sizes.map((size) => ({ kind, size, window })))
  }).flat()
}

/**
 * Those that may have decided so upon all that was asked, in shorter spans where they are few: down
 * to `finest`, as a part of a window, which over many windows adds up.
 */
export function fittingOf(
  all: readonly FittedLimiter[],
  asked: readonly AskedOnce[],
  finest = fine
): FittedLimiter[] {
  const left = all.filter((one) => isFitting(one, asked))
  const [one] = left
  const isFine = one === undefined || one.window.to < one.window.from * (1 + finest)
  if (isFine || left.length > mostHalved) return left
  return fittingOf(left.flatMap(halved), asked, finest)
}

function halved(one: FittedLimiter): FittedLimiter[] {
  const { from, to } = one.window
  const middle = Math.sqrt(from * to)
  return [
    { ...one, window: { from, to: middle } },
    { ...one, window: { from: middle, to } }
  ]
}

/** Whether one may have decided so upon all that was asked one after another, after a rest. */
export function isFitting(
  { kind, size, window }: FittedLimiter,
  asked: readonly AskedOnce[]
): boolean {
  const parts = kind.algorithm === 'token-bucket' ? size : 1
  return kind.fits(asked, size, { from: window.from / parts, to: window.to / parts })
}

/** The span from the shortest to the longest window of some. */
export function windowOfAll(all: readonly FittedLimiter[]): Span {
  const from = Math.min(...all.map(({ window }) => window.from))
  return { from, to: Math.max(...all.map(({ window }) => window.to)) }
}
