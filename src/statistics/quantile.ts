/**
 * The quantile of an ascending sample, interpolated between neighbours (Hyndman & Fan's type 7).
 */
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

/**
 * Rearranges the values so that those below `rank` are at most the one there (Hoare's selection).
 */
function partition(values: Float64Array, rank: number): void {
  let first = 0
  let last = values.length - 1
  while (first < last) {
    const pivot = values[(first + last) >> 1]!
    let left = first
    let right = last
    while (left <= right) {
      while (values[left]! < pivot) left++
      while (values[right]! > pivot) right--
      if (left > right) break
      const moved = values[left]!
      values[left++] = values[right]!
      values[right--] = moved
    }
    if (rank <= right) last = right
    else if (rank >= left) first = left
    else return
  }
}

/**
 * The middle of a sample, or half way between its two middles; NaN for an empty one. It does not
 * sort, so that a median of very many slopes, taken a thousand times, stays cheap.
 */
export function median(sample: Iterable<number>): number {
  const values = Float64Array.from(sample)
  if (values.length === 0) return NaN
  const middle = values.length >> 1
  partition(values, middle)
  if (values.length % 2 === 1) return values[middle]!
  return (
    (values.subarray(0, middle).reduce((most, value) => Math.max(most, value)) + values[middle]!) /
    2
  )
}
