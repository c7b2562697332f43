import type { Plan } from '../kernel/plan.ts'

const KiB = 1_024
const MiB = 1_048_576
const GiB = 1_073_741_824

/**
 * Every number the edge enforces, each inclusive: the value itself still passes. Where the document
 * writes KB or MB and leaves the base open, this platform reads it as binary.
 */
export const edgeLimits = {
  /** Longest request target (document: URL length, 16 KB). */
  urlBytes: 16 * KiB,
  /** Names and values of all request headers together (document: 32 KB). */
  headersBytes: 32 * KiB,
  /** Name and value of one request header (document: 16 KB). */
  headerBytes: 16 * KiB,
  /** Request body of POST, PUT and PATCH by zone plan (document: 100, 100, 200 and 500 MB). */
  bodyBytes: { free: 100 * MiB, pro: 100 * MiB, business: 200 * MiB, enterprise: 500 * MiB },
  /** Largest file that is cached, by zone plan (document: 512 MB, 5 GB). */
  cachedFileBytes: {
    free: 512 * MiB,
    pro: 512 * MiB,
    business: 512 * MiB,
    enterprise: 5 * GiB
  } as Record<Plan, number>,
  /** All that is cached, for zones and functions together; the longest unused goes first. */
  cacheBytes: 16 * GiB
}

/** The shape of `edgeLimits`. */
export type EdgeLimits = typeof edgeLimits
