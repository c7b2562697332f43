import type { Target } from './target.ts'

/** A zone made for one scenario, to be used up and thrown away. */
export type Zone = { id: string; host: string }

/** Which detections to place in a zone: lists of plain records in the API's own field names. */
export type Detections = {
  scripts?: Record<string, unknown>[]
  connections?: Record<string, unknown>[]
  cookies?: Record<string, unknown>[]
}

/**
 * What a target can do beyond its documented API. Each capability is optional: a scenario names the
 * ones it needs, and where one is missing its clauses are `blocked`, never passed.
 */
export type Adapter = {
  /** A fresh zone on the given plan. */
  zone?: (plan: string) => Promise<Zone>
  /** Puts known detections into a zone, as ground truth for the lists. */
  detections?: (zone: string, seed: Detections) => Promise<void>
  /** Lets a zone's edge answer every path with this HTML page. */
  page?: (zone: string, html: string) => Promise<void>
  /** Reads (`0`) or moves the target's clock forward by milliseconds; resolves to its new time. */
  clock?: (forwardMs: number) => Promise<number>
}

/** The names under which a scenario can need a capability. */
export type Capability = keyof Adapter

/** An adapter module exports this function as `adapter`. */
export type AdapterFactory = (target: Target) => Adapter
