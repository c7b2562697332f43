let grouping: Intl.NumberFormat | undefined

/** A number with its thousands set apart, to three digits behind the point. */
export function grouped(value: number): string {
  // To make the other takes 20 ms of a processor, and most that is told is a count.
  if (Number.isSafeInteger(value)) return `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')
  grouping ??= new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
  return grouping.format(value)
}

/** Microseconds in the unit a person would choose, three significant digits: `1.23 ms`. */
export function latency(us: number): string {
  if (us < 1_000) return `${rounded(us)} µs`
  if (us < 1_000_000) return `${rounded(us / 1_000)} ms`
  return `${rounded(us / 1_000_000)} s`
}

/** Milliseconds as a stretch of time: `350 ms`, `41.3 s`, `12 min 5 s`, `3 h 20 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A ratio as a change: `+1.2 %`. */
export function change(ratio: number): string {
  const percent = (ratio - 1) * 100
  if (!Number.isFinite(percent)) return percent > 0 ? '∞' : '–'
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`
}

/** What stands where there are too few values to say anything. */
export const tooFew = 'too few to tell'

/** The ends of an interval of ratios as changes; of too few values there are none. */
export function changes(interval: readonly [number, number] | undefined): string {
  const [low, high] = interval ?? [0, Infinity]
  if (low === 0 || high === Infinity) return tooFew
  return `${change(low)} … ${change(high)}`
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
