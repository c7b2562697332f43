/** A window of a slow-down in a row of requests: places in the row, the end not included. */
export type SlowWindow = {
  from: number
  to: number
  /** How long each took that was asked in it, in ms. */
  waits: readonly number[]
}

/** By how much each is held up, or with `isGrowing` each one more than the one before, in ms. */
export type Law = {
  delayMs: number
  isGrowing: boolean
  /** How many were let through at once in a window; undefined where it does not follow the law. */
  afterOf: (window: SlowWindow) => number | undefined
}

/** How many in a row have to be held up before one that is not begins another window. */
const leastRow = 3

/** What part of the two before it one may take at most that begins a window. */
const drop = 0.6

/** By what part of their middle those grow at most that are held up evenly, and others at least. */
const mostEven = 0.3
const leastGrowing = 0.6

/** How many have to be held up to show that it is evenly, and how many that it is ever more. */
const leastSteady = 9
const leastSteps = 6

/** How far apart the quarters may be of what is held up evenly, as a part of its middle. */
const mostApart = 0.4

/** What part of all may have taken nearly as long as what is held up evenly. */
const mostNear = 0.06

/** By how many places a window may be off what whole numbers of places are. */
const slack = 0.35

/**
 * From how many ms on one was held up: between the two groups of waits that differ most, since on a
 * busy machine none is quick. Never less than what is late by the quickest.
 */
export function lateFrom(waits: readonly number[], quickMs: number): number {
  const sorted = waits.map((ms) => Math.log(Math.max(ms, 0.1))).sort((a, b) => a - b)
  const whole = sorted.reduce((sum, one) => sum + one, 0)
  let best = { apart: 0, at: sorted[0] ?? 0 }
  let below = 0
  for (let count = 1; count < sorted.length; count++) {
    below += sorted[count - 1]!
    const above = sorted.length - count
    const gap = (whole - below) / above - below / count
    const apart = count * above * gap ** 2
    if (apart > best.apart) best = { apart, at: (sorted[count - 1]! + sorted[count]!) / 2 }
  }
  return Math.max(Math.exp(best.at), lateAfter(quickMs))
}

/** After how many ms one is late, by the quickest. */
export function lateAfter(quickMs: number): number {
  return 3 * quickMs + 15
}

/**
 * The whole windows in a row of requests that were asked one after another, by how long each took
 * in ms, and from how many on they are late: each begins where one is quick after a row of those
 * that are held up. `isAny` says whether there was such a row at all.
 */
export function windowsOf(
  waits: readonly number[],
  lateMs: number
): { whole: SlowWindow[]; isAny: boolean } {
  const starts: number[] = []
  let [run, isAny] = [0, false]
  for (const [place, ms] of waits.entries()) {
    const before = Math.min(waits[place - 1] ?? 0, waits[place - 2] ?? 0)
    // One that a busy machine holds up among quick ones makes no row.
    const isLess = () => ms < drop * Math.min(before, medianOf(waits.slice(place - run, place)))
    const isAnew = run >= leastRow && isLess()
    if (isAnew) starts.push(place)
    run = ms > lateMs ? (isAnew ? 1 : run + 1) : 0
    isAny ||= run >= leastRow
  }
  const whole = starts.slice(0, -1).map((from, index) => {
    const to = starts[index + 1]!
    return { from, to, waits: waits.slice(from, to) }
  })
  return { whole, isAny }
}

/** By what law those are held up that end each window; undefined where they follow none. */
export function lawOf(
  windows: readonly Pick<SlowWindow, 'waits'>[],
  { quickMs, lateMs }: { quickMs: number; lateMs: number }
): Law | undefined {
  const rows = windows.map(({ waits }) => {
    const last = waits.findLastIndex((ms) => ms <= lateMs)
    return waits.slice(last + 1)
  })
  const all = rows.filter((row) => row.length >= leastRow)
  if (all.length === 0) return
  const growth = medianOf(all.map((row) => (slopeOf([row]) * (row.length - 1)) / medianOf(row)))
  if (growth > leastGrowing && all.flat().length >= leastSteps) return growing(windows, all)
  // The one that begins a row may be late for another reason.
  const sure = all.flatMap((row) => row.slice(1)).sort((a, b) => a - b)
  const at = (part: number) => sure[Math.floor(part * (sure.length - 1))]!
  // Who is slow by chance is so by ever other times.
  const isAlike = at(0.75) - at(0.25) < mostApart * at(0.5)
  const isEven = growth < mostEven && sure.length >= leastSteady && isAlike
  if (
    isEven &&
    isApart(
      windows.flatMap(({ waits }) => waits),
      sure
    )
  )
    return even(sure, quickMs)
}

/** Whether hardly any took nearly as long as those that are held up, as many do by chance. */
function isApart(waits: readonly number[], late: readonly number[]): boolean {
  const leastMs = leastOf(late)
  const near = waits.filter((ms) => ms > 0.55 * leastMs && ms < 0.95 * leastMs)
  return near.length <= Math.max(1, mostNear * waits.length)
}

function even(late: readonly number[], quickMs: number): Law {
  const delayMs = leastOf(late) - quickMs
  const isFree = (ms: number) => ms < quickMs + 0.95 * delayMs
  const afterOf = ({ waits }: SlowWindow) => waits.findLastIndex(isFree) + 1
  return { delayMs, isGrowing: false, afterOf }
}

function growing(windows: readonly Pick<SlowWindow, 'waits'>[], rows: readonly number[][]): Law {
  const delayMs = slopeOf(rows)
  const quick = windows.flatMap(({ waits }) => waits.filter((ms) => ms < delayMs / 2))
  const usualMs = quick.length === 0 ? 0 : medianOf(quick)
  const afterOf = ({ waits }: SlowWindow) => {
    // Each tells by how long it took which place after the last free one it has.
    const places = waits.flatMap((ms, index) => {
      return ms < delayMs / 2 ? [] : [index + 1 - (ms - usualMs) / delayMs]
    })
    const place = medianOf(places)
    const near = places.filter((one) => Math.abs(one - Math.round(place)) < slack)
    return near.length > places.length / 2 ? Math.round(place) : undefined
  }
  return { delayMs, isGrowing: true, afterOf }
}

/** By how much one is later than the one before: what is in the middle of all pairs of a row. */
function slopeOf(rows: readonly (readonly number[])[]): number {
  const slopes = rows.flatMap((row) => {
    return row.flatMap((ms, index) => {
      return row.slice(index + 1).map((later, nth) => (later - ms) / (nth + 1))
    })
  })
  return medianOf(slopes)
}

/** The least that two others are close to: what is held up evenly is so by as much, or by more. */
function leastOf(sorted: readonly number[]): number {
  const isCommon = (ms: number, place: number) => (sorted[place + 2] ?? ms) < 1.05 * ms
  return sorted.find(isCommon)!
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}
