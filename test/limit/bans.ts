import { fixedAnchored, type Limiter, type Size } from './rate-limiters.ts'

/** Takes so many in a window from the first on, and nothing for a while where more come. */
export function windowBan({ banMs, ...size }: Omit<Size, 'phaseMs'> & { banMs: number }): Limiter {
  let decide = fixedAnchored({ ...size, phaseMs: 0 })
  let until = Number.NEGATIVE_INFINITY
  return (ms) => {
    if (ms < until) return false
    if (decide(ms)) return true
    until = ms + banMs
    decide = fixedAnchored({ ...size, phaseMs: 0 })
    return false
  }
}

/** Takes so many in any second, and nothing for a while once there are more. */
export function ban({ limit, banMs, renews }: { limit: number; banMs: number; renews: boolean }) {
  const taken: number[] = []
  let until = Number.NEGATIVE_INFINITY
  return (ms: number) => {
    const isBanned = ms < until
    if (isBanned && renews) until = ms + banMs
    if (isBanned) return false
    while (taken.length > 0 && taken[0]! <= ms - 1_000) taken.shift()
    if (taken.push(ms) <= limit) return true
    until = ms + banMs
    taken.length = 0
    return false
  }
}

/** Takes so many in two seconds, then nothing for a second, and longer by each that it refuses. */
export function lengthenedBan({ limit, byMs }: { limit: number; byMs: number }): Limiter {
  const decide = fixedAnchored({ limit, windowMs: 2_000, phaseMs: 0 })
  let until = Number.NEGATIVE_INFINITY
  return (ms) => {
    if (ms < until) {
      until += byMs
      return false
    }
    if (decide(ms)) return true
    until = ms + 1_000
    return false
  }
}
