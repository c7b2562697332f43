import { type AskedOnce, tickMs } from './fit/asked-once.ts'
import {
  candidatesOf,
  counting,
  type FittedLimiter,
  fittingOf,
  forgetting,
  windowOfAll
} from './fit/candidates.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker, Sighting } from './rate-question.ts'
import { inMs, middle } from './rate-span.ts'

/** How long it rests before the round at least, and how long that may take, in ms. */
const restMs = { window: 21_000, bucket: 35_000 }
const longestMs = 45_000

/** How many are waited for that come back one at a time, and how many in a row are no such. */
const tokens = 12
const row = 3

/** How well a window has to be known, as a part of it. */
const sharp = 0.03

/** What is known of the slower of two limits, in words as well. */
export type Behind = { behind: NonNullable<RateLimit['behind']>; words: string }

/**
 * The slower of two limits, by one round that never meets the faster: after a rest, half of what it
 * took in a row, no faster than that lets through, the others a while later, and then on for what
 * comes back, until that was a row and its end, or enough one at a time. Undefined unless all kinds
 * that may have decided so are one, of a size that is known.
 */
export function* outerOf(
  asking: RateAsker,
  seen: readonly Sighting[],
  { run, paceMs }: { run: number; paceMs: number }
): Questions<Behind | undefined> {
  const first = seen.findIndex(({ kind }) => kind === 'rejected')
  const again = seen.findIndex(({ kind }, index) => index > first && kind === 'accepted')
  if (first < 0 || again < 0) return
  const late = seen.slice(again)
  const taken = late.filter(({ kind }) => kind === 'accepted').length
  const windowMs = seen[again]!.sent - seen[0]!.sent
  // Who gives back one at a time may take long until all are back.
  const longMs = taken < late.length / 2 ? restMs.bucket : restMs.window
  const restedMs = Math.max(longMs, 1.2 * windowMs)
  const asked: AskedOnce[] = []
  const since = asking.now + restedMs
  let next = since
  let [accepted, back, inRow, isRow, isOver] = [0, 0, 0, false, false]
  while (!isOver && asking.now < since + longestMs) {
    const { seen: one } = yield* asking.burst(next, 1, { inFlight: 1 })
    const [{ kind, sent, answered } = { kind: 'unclear', sent: 0, answered: 0 }] = one
    if (kind === 'unclear') return
    const isAccepted = kind === 'accepted'
    // The second end of a window shows how long it is, whatever it begins with.
    isOver = isAccepted ? isRow && inRow === 0 : back >= tokens && !isRow
    inRow = isAccepted ? inRow + 1 : 0
    isRow ||= back > 0 && inRow >= row
    const isBack = asked.some((before) => !before.isAccepted)
    if (isAccepted) isBack ? back++ : accepted++
    asked.push({ sent: sent - tickMs, answered: answered + tickMs, isAccepted })
    const isHalf = isAccepted && accepted === Math.ceil(run / 2) && !isBack
    next = Math.max(next, asking.now - paceMs / 2) + paceMs + (isHalf ? windowMs / 4 : 0)
  }
  return isOver ? toldOf(asked, accepted, restedMs) : undefined
}

/** The limiters that may have decided so, if they are all of one kind and size. */
function toldOf(
  asked: readonly AskedOnce[],
  accepted: number,
  restedMs: number
): Behind | undefined {
  const refusal = asked.findIndex(({ isAccepted }) => !isAccepted)
  const back = asked.find(({ isAccepted }, index) => isAccepted && index > refusal)
  if (!back) return
  const sinceMs = back.answered - asked[0]!.sent
  const windows = { from: sinceMs / 4, to: 2 * sinceMs }
  const buckets = [...forgetting, ...counting].filter((one) => one.algorithm === 'token-bucket')
  const others = [...forgetting, ...counting].filter((one) => one.algorithm !== 'token-bucket')
  const sizes = Array.from({ length: Math.ceil(accepted / 2) + 1 }, (_, nth) => accepted - nth)
  const filled = { from: windows.from, to: 8 * sinceMs }
  const all = [
    ...candidatesOf(others, [accepted], windows),
    ...candidatesOf(buckets, sizes, filled)
  ]
  const left = fittingOf(all, asked)
  // What takes longer than that to be whole was perhaps not.
  if (left.length === 0 || windowOfAll(left).to > restedMs) return
  return wordsOf(left)
}

function wordsOf(left: readonly FittedLimiter[]): Behind | undefined {
  const [{ kind, size }] = left as [FittedLimiter]
  const { algorithm } = kind
  const window = windowOfAll(left)
  const isOne = left.every((one) => one.kind.algorithm === algorithm && one.size === size)
  const isSharp = window.to - window.from <= sharp * window.to
  if (!isOne || !isSharp || algorithm === 'other' || kind.countsRefused) return
  const windowMs = middle(window)
  const perSecond = (1_000 * size) / windowMs
  const rate = `${Number(perSecond.toPrecision(3))} a second`
  const many = size.toLocaleString('en')
  const isBucket = algorithm === 'token-bucket'
  const words = isBucket
    ? `a bucket of ${many}, ${rate}`
    : `a ${algorithm.replace('-', ' ')} of ${many} in ${inMs(windowMs)}`
  return { behind: { algorithm, burst: size, perSecond, windowMs }, words }
}
