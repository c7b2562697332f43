import { regularizedBeta } from './beta.ts'

/** So many independent draws, each an event with the same probability. */
export type Binomial = { draws: number; probability: number }

/** P(X ≤ events) of a binomial count. */
export function binomialCdf(events: number, { draws, probability }: Binomial): number {
  if (events < 0) return 0
  if (events >= draws) return 1
  return regularizedBeta({ x: 1 - probability, a: draws - events, b: events + 1 })
}

/** P(X ≥ events) of a binomial count, accurate also where it is tiny. */
export function binomialTail(events: number, { draws, probability }: Binomial): number {
  if (events <= 0) return 1
  if (events > draws) return 0
  return regularizedBeta({ x: probability, a: events, b: draws - events + 1 })
}
