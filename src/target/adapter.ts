import type { Target } from './target.ts'

/**
 * What a target can do beyond its documented API. Which capabilities there are depends on the
 * document: its scenarios declare them, with `declare module 'plimsoll' { interface Adapter … }`.
 * Each is optional: a scenario names the ones it needs, and where one is missing its clauses are
 * `blocked`, never passed.
 */
export interface Adapter {
  /** A zone, by plan or by name, that may be used up: what is done to it need not be undone. */
  disposableZone?: (name: string) => Promise<{ id: string; host: string }>
}

/** An adapter module exports this function as `adapter`. */
export type AdapterFactory = (target: Target) => Adapter
