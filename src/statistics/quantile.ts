/** The quantile of an ascending sample, interpolated between neighbours (Hyndman & Fan's type 7). */
export function sortedQuantile(ascending: ArrayLike<number>, q: number): number {
  const place = q * (ascending.length - 1)
  const below = ascending[Math.floor(place)]!
  const above = ascending[Math.ceil(place)]!
  return below + (above - below) * (place - Math.floor(place))
}

/** The quantile of a sample in any order, as `sortedQuantile`; NaN for an empty one. */
export function quantile(sample: Iterable<number>, q: number): number {
  const ascending = Float64Array.from(sample).sort()
  return ascending.length === 0 ? NaN : sortedQuantile(ascending, q)
}

/** The middle of a sample, or half way between its two middles. */
export function median(sample: Iterable<number>): number {
  return quantile(sample, 0.5)
}
