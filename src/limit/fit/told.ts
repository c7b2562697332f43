import type { FittingLimiter, StatedLimiter, WindowedAlgorithm } from './stated-limiter.ts'

/** What fits, in words: the kinds, how many at once, and how long it takes. */
export function told(all: readonly FittingLimiter[], stated: StatedLimiter): string {
  const words = stated.algorithm.replace('-', ' ')
  if (all.length === 0) return `as no ${words} of about ${stated.burst} does`
  const kinds = [...new Set(all.map(({ algorithm }) => algorithm))]
  return kinds.map((kind) => oneTold(kind, all, stated)).join(', or ')
}

function oneTold(
  kind: WindowedAlgorithm,
  all: readonly FittingLimiter[],
  { burst, windowMs }: StatedLimiter
): string {
  const own = all.filter(({ algorithm }) => algorithm === kind)
  const bursts = own.map((one) => one.burst)
  const [least, most] = [Math.min(...bursts), Math.max(...bursts)]
  const from = (1 + Math.min(...own.map(({ off }) => off.from))) * windowMs
  const to = (1 + Math.max(...own.map(({ off }) => off.to))) * windowMs
  const many = least === most ? `${least}` : `${least} to ${most}`
  const perSecond = [(1_000 * burst) / to, (1_000 * burst) / from]
  const span = kind === 'token-bucket' ? perSecond : [from / 1_000, to / 1_000]
  const [low, high] = span.map((value) => Number(value.toPrecision(3)))
  const unit = kind === 'token-bucket' ? 'a second' : 's'
  const long = kind === 'token-bucket' ? 'then' : 'in a window of'
  return `${kind.replace('-', ' ')}: ${many} at once, ${long} ${low} to ${high} ${unit}`
}
