import type { Target } from './target.ts'

/**
 * What a target can do beyond its documented API. Which capabilities there are depends on the
 * document: its scenarios declare them, with `declare module 'plimsoll' { interface Adapter … }`.
 * Each is optional: a scenario names the ones it needs, and where one is missing its clauses are
 * `blocked`, never passed.
 */
// biome-ignore lint/suspicious/noEmptyInterface: documents add to it.
export interface Adapter {}

/** An adapter module exports this function as `adapter`. */
export type AdapterFactory = (target: Target) => Adapter
