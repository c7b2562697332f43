import * as v from 'valibot'
import { faultSchema } from '../fault.ts'
import type { LoadSummary } from '../load/summary.ts'
import { type Evidence, outcomes } from '../verdict/verdict.ts'
import type { ResultRecord } from './record.ts'
import { stretchSchema, termsSchema } from './soak-record.ts'

const exchange = v.looseObject({
  kind: v.picklist(['answered', 'refused', 'closed', 'timeout', 'garbage']),
  status: v.number(),
  phase: v.picklist(['connect', 'headers', 'body', 'end']),
  sent: v.number(),
  because: v.string(),
  request: v.looseObject({ method: v.string(), url: v.string(), bodyBytes: v.number() }),
  excerpt: v.string()
})

const observation = v.looseObject({
  clause: v.string(),
  holds: v.optional(v.boolean()),
  answered: v.boolean(),
  observed: v.string(),
  exchanges: v.array(exchange)
})

const answer = v.picklist(['accepted', 'rejected', 'unclear'])

const boundary = v.looseObject({
  kind: v.picklist(['found', 'unlimited', 'closed', 'unclear']),
  accepted: v.optional(v.number()),
  rejected: v.optional(v.number()),
  repeats: v.looseObject({ accepted: v.number(), rejected: v.number() }),
  because: v.string(),
  asked: v.array(
    v.looseObject({ value: v.number(), kind: answer, proper: v.boolean(), because: v.string() })
  )
})

const rate = v.optional(v.number())
const rateTrials = v.array(
  v.looseObject({
    purpose: v.picklist(['search', 'sharpen', 'confirm', 'degradation']),
    rate: v.number(),
    seconds: v.number(),
    outcome: v.picklist(['held', 'missed', 'unoffered']),
    because: v.string(),
    lossRatio: v.number(),
    goodput: v.number(),
    p50Us: v.nullable(v.number()),
    p99Us: v.nullable(v.number()),
    errorShare: v.number()
  })
)

const capacity = v.looseObject({
  lower: rate,
  upper: rate,
  interval: v.optional(v.tuple([v.number(), v.number()])),
  confirmed: rate,
  conditionalThroughput: rate,
  binding: v.optional(v.picklist(['latency', 'errors', 'generator'])),
  degradation: rateTrials,
  ended: v.picklist(['found', 'highest', 'generator', 'lowest', 'time']),
  trials: rateTrials
})

/** What each kind of evidence has to look like for the judges and the formats to read it. */
const evidences: { [Kind in Evidence['kind']]: v.GenericSchema<unknown, Evidence> } = {
  boundary: v.looseObject({
    kind: v.literal('boundary'),
    limit: v.looseObject({
      clause: v.string(),
      max: v.number(),
      unit: v.string(),
      readings: v.pipe(v.array(v.number()), v.nonEmpty())
    }),
    boundaries: v.array(v.looseObject({ variant: v.string(), boundary }))
  }),
  observations: v.looseObject({
    kind: v.literal('observations'),
    attempts: v.array(v.array(observation))
  }),
  load: v.looseObject({
    kind: v.literal('load'),
    objectives: v.looseObject({}),
    broken: v.array(v.string()),
    slower: v.optional(v.record(v.string(), v.number())),
    summary: v.custom<LoadSummary>((input) => typeof input === 'object' && input !== null)
  }),
  capacity: v.looseObject({
    kind: v.literal('capacity'),
    demand: v.looseObject({ perSecond: v.number(), p99Ms: v.number(), errorRatio: v.number() }),
    found: capacity
  }),
  soak: v.looseObject({
    kind: v.literal('soak'),
    terms: termsSchema,
    stretches: v.array(stretchSchema)
  }),
  none: v.looseObject({
    kind: v.literal('none'),
    outcome: v.picklist(['blocked', 'error', 'inconclusive', 'untested']),
    because: v.string(),
    fault: v.optional(faultSchema)
  })
}

const unknownKind = v.looseObject({
  kind: v.picklist(Object.keys(evidences) as Evidence['kind'][])
})

const evidence = v.lazy((input): v.GenericSchema<unknown, Evidence> => {
  const kind = (input as Partial<Evidence> | null)?.kind
  return kind && Object.hasOwn(evidences, kind) ? evidences[kind] : (unknownKind as never)
})

const outcome = v.picklist(outcomes)
const texts = v.array(v.string())
const byName = v.record(v.string(), v.string())

/** What each kind of line in a results file has to look like, by its `t`. */
export const records: {
  [T in ResultRecord['t']]: v.GenericSchema<unknown, Extract<ResultRecord, { t: T }>>
} = {
  header: v.looseObject({
    t: v.literal('header'),
    schema: v.literal('plimsoll/1'),
    tool: v.string(),
    seed: v.number(),
    startedAt: v.string(),
    target: v.looseObject({ name: v.string(), endpoints: byName }),
    document: v.looseObject({ sha256: v.string(), clauses: v.number() }),
    host: v.looseObject({ cpu: v.string(), cores: v.number(), node: v.string() }),
    scenarios: texts,
    flags: v.optional(texts),
    agents: v.optional(
      v.array(v.looseObject({ id: v.string(), threads: v.number(), clockErrorMs: v.number() }))
    ),
    expectations: v.optional(
      v.looseObject({
        file: v.string(),
        sha256: v.string(),
        strict: v.boolean(),
        gate: v.optional(v.literal('observed'))
      })
    )
  }),
  probe: v.looseObject({
    t: v.literal('probe'),
    scenario: v.string(),
    clause: v.string(),
    seq: v.number(),
    input: v.looseObject({ value: v.number(), unit: v.string(), variant: v.string() }),
    outcome: v.looseObject({
      kind: answer,
      proper: v.boolean(),
      status: v.number(),
      phase: v.string(),
      because: v.string()
    })
  }),
  verdict: v.looseObject({
    t: v.literal('verdict'),
    scenario: v.string(),
    clause: v.string(),
    outcome,
    documented: v.string(),
    observed: v.string(),
    because: v.string(),
    evidence,
    presupposes: v.optional(texts),
    ms: v.number()
  }),
  metric: v.looseObject({
    t: v.literal('metric'),
    scenario: v.string(),
    name: v.string(),
    value: v.number(),
    unit: v.string()
  }),
  histogram: v.looseObject({
    t: v.literal('histogram'),
    scenario: v.string(),
    name: v.picklist(['response', 'service']),
    encoded: v.string()
  }),
  footer: v.looseObject({
    t: v.literal('footer'),
    counts: v.record(outcome, v.optional(v.number())),
    coverage: v.looseObject({
      clauses: v.number(),
      judged: v.number(),
      observed: v.number(),
      untested: v.number()
    }),
    requireCoverage: v.optional(v.number()),
    remarks: v.optional(
      v.array(v.looseObject({ clause: v.string(), text: v.string(), failing: v.boolean() }))
    ),
    exit: v.number(),
    complete: v.boolean(),
    ms: v.number()
  })
}
