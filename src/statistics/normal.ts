import { root } from './root.ts'

/** Density of the standard normal law. */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
}

/**
 * P(Z > z) for z ≥ 3 by Laplace's continued fraction, which keeps its relative accuracy far out.
 */
function farTail(z: number): number {
  let fraction = z
  for (let term = 100; term >= 1; term--) fraction = z + term / fraction
  return normalDensity(z) / fraction
}

/**
 * P(Z ≤ z) of the standard normal law, exact to about 1e-15; the lower tail keeps its relative
 * accuracy. Source: Marsaglia, "Evaluating the Normal Distribution", J. Stat. Software 11 (2004).
 */
export function normalCdf(z: number): number {
  if (z <= -3) return farTail(-z)
  if (z >= 3) return 1 - farTail(z)
  let term = z
  let sum = z
  for (let odd = 3; Math.abs(term) > 1e-17; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  return 0.5 + sum * normalDensity(z)
}

/** The z with P(Z ≤ z) = p; infinite for p of 0 and 1. */
export function normalQuantile(p: number): number {
  if (p <= 0 || p >= 1) return p <= 0 ? -Infinity : Infinity
  if (p > 0.5) return -normalQuantile(1 - p)
  return root((z) => normalCdf(z) - p, { low: -40, high: 0 })
}
