import { regularizedBeta } from './beta.ts'
import { normalQuantile } from './normal.ts'
import { root } from './root.ts'

/** P(T ≤ t) of Student's law with so many degrees of freedom. Source: NIST DLMF 8.17. */
export function studentCdf(t: number, degrees: number): number {
  const beyond = regularizedBeta({ x: degrees / (degrees + t * t), a: degrees / 2, b: 0.5 }) / 2
  return t > 0 ? 1 - beyond : beyond
}

/** Past so many degrees of freedom the normal law is within a thousandth. */
const normalFrom = 2_000

/** The t with P(T ≤ t) = p; infinite for p of 0 and 1. */
export function studentQuantile(p: number, degrees: number): number {
  if (p <= 0 || p >= 1) return p <= 0 ? -Infinity : Infinity
  if (degrees >= normalFrom) return normalQuantile(p)
  if (p > 0.5) return -studentQuantile(1 - p, degrees)
  const least = -(10 ** Math.min(12, 3 + 12 / degrees))
  return root((t) => studentCdf(t, degrees) - p, { low: least, high: 0, tolerance: 1e-10 })
}
