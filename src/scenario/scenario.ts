import type { ExpectedReply, Reply } from '../client/reply.ts'
import type { Answer } from '../limit/answer.ts'
import type { Checks } from '../load/iterations.ts'
import type { Iteration } from '../load/journey.ts'
import type { Load } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import type { TransportName } from '../load/transport.ts'
import type { Objectives } from '../verdict/judge-load.ts'
import type { AskingContext } from './asking.ts'
import type { CapacityScenario } from './capacity.ts'
import type { Context } from './context.ts'
import { insistOptions } from './insist.ts'
import type { SoakScenario } from './soak.ts'

/** How long a scenario takes: `quick` ones run by default, `full` adds minutes, `long` hours. */
export type Tier = 'quick' | 'full' | 'long'

/** From the quickest to the longest; each contains those before it. */
export const tiers: readonly Tier[] = ['quick', 'full', 'long']

/** What every kind of scenario says about itself. */
export type Common = {
  /** One sentence, present tense, that is true of a good target. */
  title: string
  /** Endpoints and adapter capabilities without which nothing can be found out. */
  needs?: string[]
  /** Default: quick. */
  tier?: Tier
  /** Names of things no other scenario may use at the same time; `everything` runs it alone. */
  alone?: string[]
  /**
   * Statuses and ways not to answer that this scenario asks about: `[429]`, `['closed']`. Others of
   * their sort (407, 408, 421, 425, 429, 502 to 504, 511, 520 to 530, redirects, no answer) are no
   * evidence of anything.
   */
  expectedReplies?: ExpectedReply[]
}

/** A scenario that finds out where a target draws a documented line. */
export type LimitScenario = Common & {
  kind: 'limit'
  /** Documented maximum by key; the key is '' for a limit that has only one. */
  each: Record<string, number>
  clause: (key: string) => string
  unit: string
  /** Ways to ask the same question, each of which must give the documented answer. */
  variants: string[]
  /** A value any working target accepts; asked first, and after every rejection. */
  smallest: number
  /** Distance between neighbouring values. */
  resolution: number
  /** Search no further than this many times the documented maximum. */
  ceiling: number
  /** How often each side of the boundary is asked. */
  repeats: number
  probe: (value: number, context: Context, variant: string) => Promise<Answer>
}

/** Whether a statement holds, and what was seen, where the reply alone does not show it. */
export type Seen = { holds: boolean; saw: string }

/** What a check says of its clauses while it runs. */
export type Judge = {
  /** Judges a clause on the evidence of the replies given, of which there is at least one. */
  verify: (clause: string, holds: boolean | Seen, ...evidence: [Reply, ...Reply[]]) => void
  /** Records what was seen where the document is silent. */
  observe: (clause: string, seen: string, ...evidence: [Reply, ...Reply[]]) => void
}

/** A scenario that finds out whether statements are true of a target. */
export type CheckScenario = Common & {
  kind: 'check'
  clauses: string[]
  /** Those among them that nothing a target does can contradict, such as dates: only recorded. */
  observes?: string[]
  run: (context: Context & Judge) => Promise<void>
}

/** A scenario that puts a target under load and holds what comes of it against objectives. */
export type LoadScenario = Common & {
  kind: 'load'
  /** Clauses the objectives decide; a load may claim none and be judged by itself. */
  clauses: string[]
  load: Load
  engine: TransportName
  objectives: Objectives
  /** The requests, asked in turn; or an iteration that sends several, each after the last. */
  request: (context: AskingContext) => Request | Request[] | Iteration
  /** What each response is held against; failures are counted and do not fail the load. */
  checks?: Checks
}

/** What a scenario's file exports. */
export type Scenario =
  | LimitScenario
  | CheckScenario
  | LoadScenario
  | CapacityScenario
  | SoakScenario

type LimitOptions = Common & {
  unit: string
  variants?: string[]
  smallest?: number
  resolution?: number
  ceiling?: number
  repeats?: number
  probe: LimitScenario['probe']
} & (
    | { max: number; clause: string }
    | { each: Record<string, number>; clause: (key: string) => string }
  )

/** Defines a scenario for one documented number, or for one number a plan with `each`. */
export function limit(options: LimitOptions): LimitScenario {
  insistOptions('limit', options)
  insistOnOneNumber(options)
  const { unit, probe, title, needs, tier, alone, expectedReplies } = options
  const { variants = [''], smallest = 1, resolution = 1, ceiling = 4, repeats = 3 } = options
  const keys = isOfOne(options)
    ? { each: { '': options.max }, clause: () => options.clause }
    : { each: options.each, clause: options.clause }
  const common = { title, needs, tier, alone, expectedReplies }
  return {
    kind: 'limit',
    ...common,
    ...keys,
    unit,
    variants,
    smallest,
    resolution,
    ceiling,
    repeats,
    probe
  }
}

type OfOne = Extract<LimitOptions, { max: number }>

function isOfOne(options: LimitOptions): options is OfOne {
  return 'max' in options && options.max !== undefined
}

/** One number has one clause, and several have a function that makes theirs. */
function insistOnOneNumber(options: LimitOptions): void {
  const { max, each, clause } = options as { max?: number; each?: unknown; clause: unknown }
  const isOne = max !== undefined && each === undefined && typeof clause === 'string'
  const isMany = max === undefined && each !== undefined && typeof clause === 'function'
  if (isOne || isMany) return
  throw new TypeError(
    'limit: give either `max` and the id of its `clause`, or `each` and a `clause` function'
  )
}

/** Defines a scenario for one or more statements. */
export function check(options: Omit<CheckScenario, 'kind'>): CheckScenario {
  insistOptions('check', options)
  return { kind: 'check', ...options }
}

/** Defines a load with its objectives; it runs when nothing else does. */
export function load(
  options: Omit<LoadScenario, 'kind' | 'clauses' | 'engine' | 'alone'> &
    Partial<Pick<LoadScenario, 'clauses' | 'engine'>>
): LoadScenario {
  insistOptions('load', options)
  const { clauses = [], engine = 'wire' } = options
  return { kind: 'load', ...options, clauses, engine, alone: ['everything'] }
}
