import type { ExpectedReply, Reply } from '../client/reply.ts'
import type { Answer } from '../limit/answer.ts'
import type { OwnMetrics } from '../load/figures/own-metrics.ts'
import type { Load } from '../load/load.ts'
import type { Checks } from '../load/requests/iterations.ts'
import type { Iteration } from '../load/requests/journey.ts'
import type { Request } from '../load/requests/request.ts'
import type { LastingTransport, TransportName } from '../load/transports/transport.ts'
import type { RateDemand } from '../verdict/judge-capacity.ts'
import type { Objectives } from '../verdict/judge-load.ts'
import type { AskingContext } from './asking.ts'
import type { Context } from './context.ts'
import type { Tier } from './tier.ts'

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
  /** Where its questions go by HTTP/2 alone, so that who speaks no HTTP/1.1 is there as well. */
  transport?: 'http2'
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
  /** Says by which answer a clause cannot be judged; told where nothing else is said of it. */
  leave: (clause: string, seen: string, evidence: Reply) => void
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
  transport: TransportName
  objectives: Objectives
  /** The requests, asked in turn; or an iteration that sends several, each after the last. */
  request: (context: AskingContext) => Request | Request[] | Iteration
  /** What each response is held against; failures are counted and do not fail the load. */
  checks?: Checks
  /** What iterations record with `record`, besides requests; an objective may be about each. */
  metrics?: OwnMetrics
}

/** A scenario that searches for the highest rate a target holds, of which it demands so much. */
export type CapacityScenario = Common & {
  kind: 'capacity'
  /** Clauses the rate decides; without any it is judged by itself. */
  clauses: string[]
  demand: RateDemand
  /** Search no further than this many times the rate that is demanded. */
  ceiling: number
  /** How long it may take. */
  seconds: number
  connections: number
  transport: LastingTransport
  /** The requests, asked in turn; all to one endpoint. */
  request: (context: AskingContext) => Request | Request[]
}

/** A scenario that loads a target for long; what has a budget must not grow beyond it. */
export type SoakScenario = Common & {
  kind: 'soak'
  /** Clauses the budgets decide; without any it is judged by itself. */
  clauses: string[]
  /** One level from beginning to end. */
  load: Load
  /**
   * Growth in an hour that is let through, as a share of the level after warm-up, by metric: `p50`,
   * `p99`, `errors`, `throughput`, and whatever `figures` tells.
   */
  budgets: Record<string, number>
  /** What the target tells of itself, such as its memory; asked once a second. */
  figures?: (context: Context) => Promise<Record<string, number>>
  transport: LastingTransport
  /** The requests, asked in turn; all to one endpoint. */
  request: (context: AskingContext) => Request | Request[]
}

/** What a scenario's file exports. */
export type Scenario =
  | LimitScenario
  | CheckScenario
  | LoadScenario
  | CapacityScenario
  | SoakScenario
