import * as v from 'valibot'
import { keptSchema } from '../client/reply.ts'
import { faultSchema } from '../fault.ts'
import type { LoadSummary } from '../load/figures/summary.ts'
import { above0, count, finite } from '../number.ts'
import type { CommandFound } from '../verdict/command-found.ts'
import { outcomes } from '../verdict/outcome.ts'
import { type PairMetric, pairMetrics } from '../verdict/pair-metric.ts'
import type { Evidence } from '../verdict/verdict.ts'
import { pairVerdict } from './history-record.ts'
import { stretchSchema, termsSchema } from './soak-record.ts'

const texts = v.array(v.string())

const exchange = v.looseObject({ ...keptSchema.entries, excerpt: v.string() })

const observation = v.looseObject({
  clause: v.string(),
  holds: v.optional(v.boolean()),
  answered: v.boolean(),
  observed: v.string(),
  exchanges: v.array(exchange)
})

const answer = v.picklist(['accepted', 'rejected', 'unclear'])

const asking = {
  repeats: v.looseObject({ accepted: finite, rejected: finite }),
  because: v.string(),
  asked: v.array(
    v.looseObject({
      value: finite,
      kind: answer,
      proper: v.boolean(),
      lost: v.optional(v.boolean()),
      because: v.string()
    })
  )
}

const boundary = v.variant('kind', [
  v.looseObject({ kind: v.literal('found'), accepted: finite, rejected: finite, ...asking }),
  v.looseObject({ kind: v.literal('unlimited'), accepted: finite, ...asking }),
  v.looseObject({ kind: v.literal('closed'), rejected: v.optional(finite), ...asking }),
  v.looseObject({
    kind: v.literal('unclear'),
    ...{ accepted: v.optional(finite), rejected: v.optional(finite) },
    ...asking
  })
])

const bound = v.optional(count)
const bounds = {
  ...{ p50Ms: bound, p90Ms: bound, p95Ms: bound, p99Ms: bound, p999Ms: bound },
  maxMs: bound,
  ...{ errorRatio: bound, droppedRatio: bound }
}
const objectives = v.looseObject({
  ...bounds,
  perSecond: bound,
  redirectRatio: bound,
  every: v.optional(v.looseObject({ ...bounds, seconds: count })),
  metrics: v.optional(
    v.record(v.string(), v.looseObject({ atLeast: v.optional(finite), atMost: v.optional(finite) }))
  )
})

/** What is read of a load's summary; the rest of it is only kept. */
const summary = v.looseObject({
  ...{ requests: count, rps: count, timeouts: count, dropped: count },
  errors: v.record(v.string(), count),
  response: v.looseObject({
    ...{ p50: v.nullable(finite), p90: v.nullable(finite), p99: v.nullable(finite) },
    // Those of an older version do not tell it.
    p95: v.nullish(finite),
    ...{ p999: v.nullable(finite), max: v.nullable(finite) }
  }),
  generator: v.looseObject({
    ...{ valid: v.boolean(), reasons: texts, waitShare: v.optional(finite) },
    standstillShare: v.optional(finite),
    ...{ eventLoopUtilization: v.optional(finite), lagP99Us: v.nullish(finite) },
    cpuUsPerRequest: v.nullish(finite),
    bounds: v.optional(v.record(v.string(), v.tuple([finite, finite])))
  }),
  statuses: v.record(v.string(), count),
  connections: v.looseObject({
    ...{ opened: count, unsolicited: v.optional(count) },
    ...{ protocol: v.optional(v.string()), transport: v.optional(v.string()) },
    ends: v.optional(v.record(v.string(), count))
  }),
  unanswered: v.optional(v.string()),
  faults: v.optional(v.record(v.string(), count)),
  own: v.optional(v.record(v.string(), v.looseObject({ value: finite, unit: v.string() })))
}) as unknown as v.GenericSchema<unknown, LoadSummary>

/** Responses slower than an objective; nobody sends more. */
const slower = v.pipe(count, v.integer(), v.maxValue(1e12))

/** How a load ended, where nothing came back for the last of it. */
const silence = {
  ...{ unanswered: count, of: v.optional(count) },
  ...{ loadMs: count, afterMs: count, slowestMs: count }
}

const rate = v.pipe(finite, v.gtValue(0))
const rateTrials = v.pipe(
  v.array(
    v.looseObject({
      purpose: v.picklist(['search', 'sharpen', 'confirm', 'recheck', 'degradation']),
      rate,
      seconds: count,
      outcome: v.picklist(['held', 'missed', 'unoffered']),
      because: v.string(),
      ...{ lossRatio: finite, goodput: finite, errorShare: finite },
      ...{ p50Us: v.nullable(finite), p99Us: v.nullable(finite) },
      ...{ waitShare: v.optional(count), requests: v.optional(count) },
      behindMs: v.optional(finite)
    })
  ),
  v.maxLength(10_000)
)

const capacity = v.looseObject({
  lower: v.optional(finite),
  upper: v.optional(finite),
  interval: v.optional(v.tuple([count, count])),
  unsteady: v.optional(
    v.looseObject({
      kind: v.picklist(['changed', 'overload', 'machine']),
      because: v.string(),
      heldBefore: v.optional(rate)
    })
  ),
  undecided: v.optional(v.string()),
  confirmed: v.optional(count),
  conditionalThroughput: v.optional(finite),
  binding: v.optional(v.picklist(['latency', 'errors', 'generator'])),
  degradation: rateTrials,
  ended: v.picklist(['found', 'highest', 'generator', 'lowest', 'time']),
  trials: rateTrials
})

const ratios = v.tuple([above0, above0])
const pairMetric = v.picklist(Object.keys(pairMetrics) as PairMetric[])

/** What a command found, by what it was about. */
/** What is told besides, name by name. */
const facts = v.optional(v.pipe(v.array(v.tuple([v.string(), v.string()])), v.maxLength(100)))

const commandFound: v.GenericSchema<unknown, CommandFound> = v.variant('of', [
  v.looseObject({
    of: v.literal('comparison'),
    metric: pairMetric,
    budget: count,
    facts,
    ratio: v.optional(above0),
    interval: v.optional(ratios),
    metrics: v.record(
      pairMetric,
      v.optional(
        v.looseObject({
          ...{ ratio: above0, interval: v.optional(ratios), p: finite, a: finite, b: finite },
          unit: v.string()
        })
      )
    ),
    pairs: v.pipe(
      v.array(v.looseObject({ ratio: finite, confirms: v.boolean() })),
      v.maxLength(100_000)
    )
  }),
  v.looseObject({
    of: v.literal('capacity'),
    objective: v.looseObject({
      ...{ p99Ms: count, errorsPercent: count, perSecond: v.optional(above0) }
    }),
    capacity: v.optional(capacity),
    baseline: v.optional(v.looseObject({ p50Us: count, p99Us: count })),
    facts
  }),
  v.looseObject({
    of: v.literal('limit'),
    unit: v.optional(v.string()),
    boundaries: v.optional(v.array(v.looseObject({ variant: v.string(), boundary }))),
    rate: v.optional(
      v.looseObject({
        algorithm: v.string(),
        ...{ burst: v.nullable(count), perSecond: v.nullable(count) },
        windowMs: v.nullable(count)
      })
    )
  }),
  v.looseObject({
    of: v.literal('history'),
    metric: pairMetric,
    points: v.pipe(
      v.array(
        v.looseObject({
          ...{ at: v.string(), build: v.string(), against: v.string() },
          ...{ ratio: above0, interval: ratios, level: above0 },
          verdict: pairVerdict
        })
      ),
      v.maxLength(100_000)
    ),
    shifts: v.pipe(
      v.array(
        v.looseObject({
          kind: v.picklist(['step', 'creep']),
          way: v.picklist(['worse', 'better']),
          ...{ from: v.string(), to: v.string(), ratio: above0 }
        })
      ),
      v.maxLength(100_000)
    )
  })
])

/** What each kind of evidence has to look like for the judges and the formats to read it. */
const evidences: { [Kind in Evidence['kind']]: v.GenericSchema<unknown, Evidence> } = {
  boundary: v.looseObject({
    kind: v.literal('boundary'),
    limit: v.looseObject({
      clause: v.string(),
      max: finite,
      unit: v.string(),
      readings: v.pipe(v.array(finite), v.nonEmpty(), v.maxLength(100))
    }),
    boundaries: v.array(v.looseObject({ variant: v.string(), boundary }))
  }),
  observations: v.looseObject({
    kind: v.literal('observations'),
    attempts: v.array(v.array(observation))
  }),
  load: v.looseObject({
    kind: v.literal('load'),
    objectives,
    broken: texts,
    slower: v.optional(v.record(v.string(), slower)),
    silence: v.optional(v.looseObject(silence)),
    summary
  }),
  capacity: v.looseObject({
    kind: v.literal('capacity'),
    demand: v.looseObject({ perSecond: rate, p99Ms: count, errorRatio: count }),
    found: capacity
  }),
  soak: v.looseObject({
    kind: v.literal('soak'),
    terms: termsSchema,
    stretches: v.pipe(v.array(stretchSchema), v.maxLength(1_000))
  }),
  command: v.looseObject({
    kind: v.literal('command'),
    conclusion: v.looseObject({
      outcome: v.picklist(outcomes),
      ...{ observed: v.string(), because: v.string() }
    }),
    found: commandFound
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

/** What evidence has to look like, by its kind. */
export const evidenceSchema = v.lazy((input): v.GenericSchema<unknown, Evidence> => {
  const kind = (input as Partial<Evidence> | null)?.kind
  return kind && Object.hasOwn(evidences, kind) ? evidences[kind] : (unknownKind as never)
})
