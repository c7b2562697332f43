import { durationMs, type Load, peak } from './load.ts'

/** Which worker of how many. */
export type Share = { index: number; count: number }

/** How many of `total` whole things fall to a worker when the remainder goes to the first ones. */
export function portion(total: number, { index, count }: Share): number {
  if (total === Infinity) return Infinity
  return Math.floor(total / count) + (index < total % count ? 1 : 0)
}

/** A worker's n-th number among 0, 1, 2 …, which the workers take in turns. */
export function numberOf(n: number, { index, count }: Share): number {
  return index + n * count
}

/** How many workers can take part: each needs a connection and, in a closed load, a user. */
export function usefulWorkers(load: Load, count: number): number {
  const users = load.model === 'closed' ? Math.ceil(peak(load.phases)) : Infinity
  return Math.max(1, Math.min(count, load.connections, users))
}

/**
 * How long before its start a load should be handed to the workers, in milliseconds, so that they
 * can import what they need and make their connections before it.
 */
export function headStartMs(load: Load): number {
  return 500 + load.connections * 0.5
}

/**
 * How long after its start a load is over at the latest, in milliseconds: a request due at the end
 * may wait its timeout for a connection, and as long again for its response. Infinity if iterations
 * end it.
 */
export function longestMs(load: Load): number {
  return durationMs(load.phases) + 2 * load.timeoutMs + 1_000
}

/** One worker's part of a load; the parts of all workers add up to exactly what was asked. */
export function partOf<Whole extends Load>(load: Whole, share: Share): Whole {
  const part = {
    ...load,
    connections: portion(load.connections, share),
    iterations: portion(load.iterations, share)
  }
  return 'maxInFlight' in part
    ? { ...part, maxInFlight: Math.max(1, portion(part.maxInFlight, share)) }
    : part
}

/** How many of the users 0, 1, 2 … that exist at a level belong to a worker. */
export function usersBelow(level: number, { index, count }: Share): number {
  return Math.max(0, Math.ceil((Math.ceil(level) - index) / count))
}
