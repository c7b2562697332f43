import * as v from 'valibot'
import { isEncoded } from '../load/figures/histogram.ts'
import { type LastingTransport, lastingTransports } from '../load/transports/transport.ts'
import { count, finite } from '../number.ts'
import type { DriftConclusion, DriftTerms } from '../verdict/judge-drift.ts'
import type { Stretch } from '../verdict/stretch.ts'
import { agentsSchema } from './agents-schema.ts'
import { readJson } from './json-line.ts'
import { oneLine } from './printable.ts'
import type { Header, Lost } from './record.ts'

/** Where figures of a target are read: of its process, of its page, and which of that page. */
export type SoakSources = { pid?: number; metricsUrl?: string; gauge: string[] }

/** First line of a soak's journal: what is loaded, how, and what may drift. */
export type SoakHeader = {
  t: 'soak'
  schema: 'plimsoll-soak/1'
  tool: string
  startedAt: string
  host: { cpu: string; cores: number; node: string }
  url: string
  /** SHA-256 of method, headers and body, which may hold secrets and are not kept. */
  request: string
  load: {
    connections: number
    pipelining: number
    timeoutMs: number
    workers: number
    engine: LastingTransport
    /** Requests a second; absent in a closed load. */
    rate?: number
  }
  /** How long it is to last, and how long each stretch. */
  seconds: number
  stretchSeconds: number
  terms: DriftTerms
  /** What is read of the target besides its answers; absent where nothing is. */
  watched?: SoakSources
  /** The agents it is sent from; absent where that is the machine itself. */
  agents?: Header['agents']
  /** What was said of it when it began. */
  tags?: Header['tags']
  /** The words by which it was begun, after `plimsoll`; an older version does not tell. */
  command?: string[]
}

/** What one stretch of the soak came to; `reasons` say why the generator was at fault. */
export type StretchRecord = { t: 'stretch'; at: string; reasons: string[] } & Stretch

/** One line of `soak.ndjson`; `resumed` says when another process went on with it, until
 * when, and which agents sent from then on. */
export type SoakRecord =
  | SoakHeader
  | StretchRecord
  | { t: 'resumed'; at: string; seconds: number; watched?: SoakSources; agents?: Header['agents'] }
  | { t: 'verdict'; at: string; verdict: DriftConclusion['verdict']; because: string; exit: number }

/** A soak as its journal tells it, and what follows from that. */
export type SoakReport = {
  header: SoakHeader
  stretches: readonly Stretch[]
  conclusion: DriftConclusion
  /** Absent where every line was read. */
  lost?: Lost
}

const distribution = v.looseObject({
  encoded: v.pipe(v.string(), v.check(isEncoded, 'must be a distribution, as HdrHistogram V2')),
  count,
  minUs: finite,
  maxUs: finite,
  sumUs: finite
})

/** Figures that a soak can follow; each takes time to judge. */
const mostFigures = 1_000

/** A stretch as it has to look like for a soak to be judged again. */
export const stretchSchema = v.looseObject({
  seconds: count,
  voidSeconds: count,
  load: v.optional(
    v.looseObject({
      seconds: count,
      requests: count,
      failures: count,
      answers: v.optional(count),
      response: distribution,
      cpuUs: v.optional(finite)
    })
  ),
  floors: v.pipe(
    v.record(v.string(), finite),
    v.check((floors) => Object.keys(floors).length <= mostFigures, `has more than ${mostFigures}`)
  ),
  process: v.optional(v.string())
})

/** What may drift, as it has to look like. */
export const termsSchema = v.looseObject({
  budget: count,
  budgets: v.optional(v.record(v.string(), count)),
  seed: finite
})

const watched = v.optional(
  v.looseObject({
    pid: v.optional(count),
    metricsUrl: v.optional(v.string()),
    gauge: v.array(v.string())
  })
)

const records: { [T in SoakRecord['t']]: v.GenericSchema<unknown, SoakRecord & { t: T }> } = {
  soak: v.looseObject({
    t: v.literal('soak'),
    schema: v.literal('plimsoll-soak/1'),
    tool: v.string(),
    startedAt: v.pipe(v.string(), v.isoTimestamp()),
    host: v.looseObject({ cpu: v.string(), cores: finite, node: v.string() }),
    url: v.pipe(v.string(), v.url()),
    request: v.string(),
    load: v.looseObject({
      connections: count,
      pipelining: count,
      timeoutMs: count,
      workers: count,
      engine: v.picklist(lastingTransports),
      rate: v.optional(count)
    }),
    seconds: count,
    stretchSeconds: count,
    terms: termsSchema,
    watched,
    agents: agentsSchema,
    tags: v.optional(v.record(v.string(), v.string())),
    command: v.optional(v.array(v.string()))
  }),
  stretch: v.looseObject({
    t: v.literal('stretch'),
    at: v.string(),
    reasons: v.array(v.string()),
    ...stretchSchema.entries
  }),
  resumed: v.looseObject({
    t: v.literal('resumed'),
    at: v.string(),
    seconds: count,
    watched,
    agents: agentsSchema
  }),
  verdict: v.looseObject({
    t: v.literal('verdict'),
    at: v.string(),
    verdict: v.picklist([
      ...(['drift', 'stable', 'settling', 'stepped', 'cyclic', 'inconclusive'] as const)
    ]),
    because: v.string(),
    exit: finite
  })
}

/** One record as the line it is written as. */
export function soakLine(record: SoakRecord): string {
  return `${JSON.stringify(record)}\n`
}

/** The record in a whole line; throws an Error that says what is wrong with it. */
export function readSoakLine(content: string): SoakRecord {
  const value = readJson(content) as { t?: unknown } | null
  const t = value?.t
  if (typeof t !== 'string' || !Object.hasOwn(records, t)) {
    const given = typeof t === 'string' ? JSON.stringify(t.slice(0, 40)) : typeof t
    throw new Error(`"t" is ${oneLine(given)}, which no soak writes`)
  }
  const result = v.safeParse(records[t as SoakRecord['t']], value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Error(`${t}.${v.getDotPath(issue) ?? ''}: ${oneLine(issue.message, 300)}`)
}
