import * as v from 'valibot'
import { isEncoded } from '../load/figures/histogram.ts'
import { count, finite } from '../number.ts'
import { tiers } from '../scenario/tier.ts'
import { expectationsSchema } from '../verdict/expectation.ts'
import { outcomes } from '../verdict/outcome.ts'
import { agentsSchema } from './agents-schema.ts'
import { evidenceSchema } from './evidence-schema.ts'
import type { ResultRecord } from './record.ts'

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
    seed: finite,
    startedAt: v.pipe(v.string(), v.isoTimestamp()),
    target: v.looseObject({ name: v.string(), endpoints: byName }),
    document: v.looseObject({
      sha256: v.string(),
      clauses: count,
      open: v.optional(count),
      folder: v.optional(v.string()),
      source: v.optional(v.looseObject({ file: v.string(), sha256: v.string() }))
    }),
    host: v.looseObject({ cpu: v.string(), cores: finite, node: v.string() }),
    scenarios: texts,
    flags: v.optional(texts),
    command: v.optional(texts),
    tags: v.optional(byName),
    advice: v.optional(v.picklist(['fail', 'warn'])),
    agents: agentsSchema,
    expectations: v.optional(
      v.looseObject({
        file: v.string(),
        sha256: v.string(),
        strict: v.boolean(),
        gate: v.optional(v.literal('observed')),
        entries: v.optional(expectationsSchema)
      })
    )
  }),
  clause: v.looseObject({
    t: v.literal('clause'),
    id: v.string(),
    kind: v.string(),
    documented: v.string(),
    unit: v.optional(v.string()),
    derived: v.optional(v.boolean()),
    quote: v.optional(v.string()),
    section: v.optional(v.string()),
    source: v.optional(v.string()),
    pointer: v.optional(v.string()),
    lines: v.optional(v.string()),
    plan: v.optional(v.string()),
    restates: v.optional(v.string()),
    presupposes: v.optional(texts),
    notes: v.optional(v.string())
  }),
  scenario: v.looseObject({
    t: v.literal('scenario'),
    id: v.string(),
    title: v.optional(v.string()),
    tier: v.optional(v.picklist(tiers)),
    clauses: v.optional(texts)
  }),
  probe: v.looseObject({
    t: v.literal('probe'),
    scenario: v.string(),
    clause: v.string(),
    seq: finite,
    input: v.looseObject({ value: finite, unit: v.string(), variant: v.string() }),
    outcome: v.looseObject({
      kind: v.picklist(['accepted', 'rejected', 'unclear']),
      proper: v.boolean(),
      status: finite,
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
    derived: v.optional(v.boolean()),
    observed: v.string(),
    because: v.string(),
    evidence: evidenceSchema,
    presupposes: v.optional(texts),
    ms: count
  }),
  metric: v.looseObject({
    t: v.literal('metric'),
    scenario: v.string(),
    name: v.string(),
    value: finite,
    unit: v.string()
  }),
  histogram: v.looseObject({
    t: v.literal('histogram'),
    scenario: v.string(),
    name: v.picklist(['response', 'service']),
    encoded: v.pipe(v.string(), v.check(isEncoded, 'must be a distribution, as HdrHistogram V2'))
  }),
  window: v.looseObject({
    t: v.literal('window'),
    scenario: v.string(),
    ...{ fromMs: count, toMs: count },
    ...{ finished: count, measured: count, failed: count, dropped: count, inFlight: count },
    ...{ p50Us: v.nullable(count), p99Us: v.nullable(count) }
  }),
  event: v.looseObject({
    ...{ t: v.literal('event'), scenario: v.string(), text: v.string() },
    kind: v.picklist(['ramp', 'gc', 'stop']),
    ...{ fromMs: count, toMs: count }
  }),
  footer: v.looseObject({
    t: v.literal('footer'),
    counts: v.record(outcome, v.optional(count)),
    coverage: v.looseObject({
      ...{ clauses: count, judged: count, observed: count },
      ...{ undecided: v.optional(count), untested: count }
    }),
    requireCoverage: v.optional(finite),
    remarks: v.optional(
      v.array(v.looseObject({ clause: v.string(), text: v.string(), failing: v.boolean() }))
    ),
    exit: finite,
    complete: v.boolean(),
    ms: count
  })
}
