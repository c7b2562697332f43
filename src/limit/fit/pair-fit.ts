import type { Span } from '../rate-span.ts'
import type { AskedOnce } from './asked-once.ts'

/** How many a bucket holds, and in how many ms one comes back, anywhere in a span. */
export type FittedBucket = { size: number; period: Span }

/** Two buckets: what either does not hold is refused. */
export type FittedPair = {
  inner: FittedBucket
  outer: FittedBucket
  /** Whether the inner one spends a token on what the outer one refuses; else neither does. */
  isSpent: boolean
}

/** When a bucket is full again, at the earliest and at the latest, in ms. */
type State = Span & FittedBucket

/**
 * Whether two buckets that were full can have decided so upon all that was asked, in such an order
 * that no refusal comes before an acceptance that may have been before it. Of a refusal it is known
 * that not both can have held one, and of the other where one of them surely did.
 */
export function pairFit(asked: readonly AskedOnce[], { inner, outer, isSpent }: FittedPair) {
  const full = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  const [one, other]: State[] = [
    { ...full, ...inner },
    { ...full, ...outer }
  ]
  for (const { sent, answered, isAccepted } of asked) {
    if (isAccepted) {
      if (isEmpty(one!, answered) || isEmpty(other!, answered)) return false
      take(one!, sent, answered)
      take(other!, sent, answered)
      continue
    }
    const [holds, held] = [isHolding(one!, sent), isHolding(other!, sent)]
    if (holds && held) return false
    if (holds) lack(other!, sent)
    if (held) lack(one!, sent)
    else if (isSpent && !isEmpty(one!, answered)) {
      const { from } = one!
      take(one!, sent, answered)
      // That it held one is only sure where the other surely held none.
      if (!holds) one!.from = from
    }
  }
  return true
}

/** Whether it surely holds none by then, or surely one at that time. */
function isEmpty({ from, size, period }: State, by: number): boolean {
  return from > by + (size - 1) * period.to
}

function isHolding({ to, size, period }: State, at: number): boolean {
  return to <= at + (size - 1) * period.from
}

function take(state: State, sent: number, answered: number): void {
  state.to = Math.min(state.to, answered + (state.size - 1) * state.period.to)
  state.from = Math.max(sent, state.from) + state.period.from
  state.to = Math.max(answered, state.to) + state.period.to
}

/** It held none at that time. */
function lack(state: State, at: number): void {
  state.from = Math.max(state.from, at + (state.size - 1) * state.period.from)
}

/** How far a period may be off what it seems to be at first, in which steps, as parts of it. */
const off = { most: 0.12, step: 0.04, least: 0.006 }

/** Of how many at most each span is halved. */
const mostHalved = 400

/** What two buckets seem to be: how many each holds, at least and at most, and in how many ms. */
export type AboutPair = Record<'inner' | 'outer', { sizes: Span; everyMs: number }>

/** All pairs of buckets of about so much that may have decided so upon each of some rows. */
export function pairsOf(rows: readonly (readonly AskedOnce[])[], about: AboutPair): FittedPair[] {
  const [inner, outer] = [about.inner, about.outer].map(({ sizes, everyMs }) => {
    const many = Math.max(0, Math.floor(sizes.to) - Math.ceil(sizes.from) + 1)
    return Array.from({ length: many }, (_, nth) => Math.ceil(sizes.from) + nth)
      .filter((size) => size > 0)
      .flatMap((size) => periodsOf(everyMs).map((period) => ({ size, period })))
  })
  const all = inner!.flatMap((one) => outer!.map((other) => ({ inner: one, outer: other })))
  for (const isSpent of [false, true]) {
    const left = fitting(
      all.map((pair) => ({ ...pair, isSpent })),
      rows
    )
    if (left.length > 0) return left
  }
  return []
}

function periodsOf(everyMs: number): Span[] {
  const count = Math.ceil((2 * off.most) / off.step)
  return Array.from({ length: count }, (_, nth) => {
    const from = everyMs * (1 - off.most + nth * off.step)
    return { from, to: from + everyMs * off.step }
  })
}

function fitting(
  all: readonly FittedPair[],
  rows: readonly (readonly AskedOnce[])[]
): FittedPair[] {
  const left = all.filter((pair) => rows.every((row) => pairFit(row, pair)))
  const wide = left.find(({ inner, outer }) => isWide(inner) || isWide(outer))
  if (!wide || left.length > mostHalved) return left
  const halves = left.flatMap((pair) => {
    return halved(pair.inner).flatMap((inner) => {
      return halved(pair.outer).map((outer) => ({ ...pair, inner, outer }))
    })
  })
  return fitting(halves, rows)
}

function isWide({ period }: FittedBucket): boolean {
  return period.to - period.from > off.least * period.to
}

function halved(bucket: FittedBucket): FittedBucket[] {
  if (!isWide(bucket)) return [bucket]
  const { from, to } = bucket.period
  const middle = (from + to) / 2
  return [
    { ...bucket, period: { from, to: middle } },
    { ...bucket, period: { from: middle, to } }
  ]
}
