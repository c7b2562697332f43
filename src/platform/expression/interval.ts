type Whole = number | bigint

/** The whole numbers from `first` to `last`, both included. */
export type Interval = { readonly first: Whole; readonly last: Whole }

/** Whether a whole number is in one of many intervals, found by halving. */
export function intervals(all: readonly Interval[]): (value: Whole) => boolean {
  const firsts: Whole[] = []
  const lasts: Whole[] = []
  for (const { first, last } of all.toSorted((one, other) => (one.first < other.first ? -1 : 1))) {
    if (firsts.length === 0 || first > lasts.at(-1)!) {
      firsts.push(first)
      lasts.push(last)
    } else if (last > lasts.at(-1)!) lasts[lasts.length - 1] = last
  }
  return (value) => {
    let [low, high] = [0, firsts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (firsts[middle]! <= value) low = middle + 1
      else high = middle
    }
    return low > 0 && value <= lasts[low - 1]!
  }
}
