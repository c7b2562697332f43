/** Between which two numbers something lies, both included. */
export type Span = { from: number; to: number }

/** All that a member of the one plus `times` a member of the other can be. */
export function plus(one: Span, other: Span, times = 1): Span {
  return { from: one.from + times * other.from, to: one.to + times * other.to }
}

/** All that a member of the one less a member of the other can be. */
export function minus(one: Span, other: Span): Span {
  return { from: one.from - other.to, to: one.to - other.from }
}

/** The span with each end moved outwards. */
export function widened({ from, to }: Span, by: number): Span {
  return { from: from - by, to: to + by }
}

/** The span with both ends multiplied. */
export function scaled({ from, to }: Span, factor: number): Span {
  return { from: from * factor, to: to * factor }
}

/** Whether the two have a number in common. */
export function meets(one: Span, other: Span): boolean {
  return one.from <= other.to && other.from <= one.to
}

/** The number in the middle. */
export function middle({ from, to }: Span): number {
  return (from + to) / 2
}

/** The middle one of some numbers, the later one of two; there has to be one. */
export function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

/** What each of some times is after the one before. */
export function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - times[index]!)
}

/** What all of them have in common; where that is nothing, its end is before its beginning. */
export function common(spans: readonly Span[]): Span {
  return {
    from: Math.max(...spans.map(({ from }) => from)),
    to: Math.min(...spans.map(({ to }) => to))
  }
}

/** Milliseconds in words, to three digits. */
export function inMs(ms: number): string {
  return `${Number(ms.toPrecision(3)).toLocaleString('en')} ms`
}

/** How many were accepted at once, in words, and how many just before that. */
export function onceAndBefore(accepted: number, before: number): string {
  const once = `${accepted.toLocaleString('en')} at once`
  return before > 0 ? `${once} and ${before.toLocaleString('en')} before` : once
}
