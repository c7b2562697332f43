import * as v from 'valibot'
import { mostOwnMetrics } from '../load/figures/own-metrics.ts'
import { streamMetrics } from '../load/figures/stream-metrics.ts'
import { loadSchemas } from '../load/load-schema.ts'
import type { Checks } from '../load/requests/iterations.ts'
import { lastingTransports, transportNames } from '../load/transports/transport.ts'
import { above0, count, finite, whole } from '../number.ts'
import type {
  CapacityScenario,
  CheckScenario,
  LimitScenario,
  LoadScenario,
  SoakScenario
} from './scenario.ts'

const code = <Kind>() => v.custom<Kind>((value) => typeof value === 'function')
const names = v.array(v.string())
const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const expectedReply = v.union([
  v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  v.picklist(['refused', 'closed', 'timeout', 'garbage'])
])

const common = {
  title: v.string(),
  needs: v.optional(names),
  tier: v.optional(v.picklist(['quick', 'full', 'long'])),
  alone: v.optional(names),
  expectedReplies: v.optional(v.array(expectedReply))
}

/** How iterations arrive, as `open` and `closed` make it and authors may spread it. */
export const { load: loadSchema } = loadSchemas({
  ...{ level: Infinity, connections: Infinity, pipelining: Infinity, phases: Infinity },
  ...{ timeoutMs: Infinity, inFlight: Infinity }
})

const bounds = {
  p50Ms: v.optional(above0),
  p90Ms: v.optional(above0),
  p95Ms: v.optional(above0),
  p99Ms: v.optional(above0),
  p999Ms: v.optional(above0),
  maxMs: v.optional(above0),
  errorRatio: v.optional(ratio),
  droppedRatio: v.optional(ratio)
}

const ownBound = v.pipe(
  v.strictObject({ atLeast: v.optional(finite), atMost: v.optional(finite) }),
  v.check(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined)
)

/** Names of what a load measures anyway would stand twice in a report. */
const taken = ['requests', 'rps', 'timeouts', 'dropped', ...Object.keys(streamMetrics)]
const ownName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,64}$/),
  v.check((name) => !taken.includes(name))
)
const ownMetrics = v.pipe(
  v.record(
    ownName,
    v.strictObject({
      kind: v.picklist(['counter', 'gauge', 'distribution']),
      unit: v.pipe(v.string(), v.maxLength(40))
    })
  ),
  v.check((metrics) => Object.keys(metrics).length <= mostOwnMetrics)
)

/** What a load must achieve. */
export const objectivesSchema = v.strictObject({
  ...bounds,
  perSecond: v.optional(count),
  redirectRatio: v.optional(ratio),
  every: v.optional(v.strictObject({ ...bounds, seconds: above0 })),
  metrics: v.optional(v.record(v.string(), ownBound))
})

const enduring = v.picklist(lastingTransports)

const limited = {
  ...common,
  unit: v.string(),
  variants: v.pipe(names, v.nonEmpty()),
  smallest: count,
  resolution: above0,
  ceiling: v.pipe(above0, v.minValue(1)),
  repeats: whole(),
  transport: v.optional(v.literal('http2')),
  probe: code<LimitScenario['probe']>()
}
const checked = {
  ...common,
  clauses: names,
  observes: v.optional(names),
  run: code<CheckScenario['run']>()
}
const loaded = {
  ...common,
  clauses: names,
  load: loadSchema,
  transport: v.picklist(transportNames),
  objectives: objectivesSchema,
  request: code<LoadScenario['request']>(),
  checks: v.optional(v.record(v.string(), code<Checks[string]>())),
  metrics: v.optional(ownMetrics)
}
const demand = { perSecond: above0, p99Ms: above0, errorRatio: ratio }
const searched = {
  ...common,
  clauses: names,
  ceiling: v.pipe(above0, v.minValue(1)),
  seconds: above0,
  connections: whole(),
  transport: enduring,
  request: code<CapacityScenario['request']>()
}
const soaked = {
  ...common,
  clauses: names,
  load: loadSchema,
  budgets: v.pipe(
    v.record(v.string(), count),
    v.check((budgets) => Object.keys(budgets).length > 0)
  ),
  figures: v.optional(code<NonNullable<SoakScenario['figures']>>()),
  transport: enduring,
  request: code<SoakScenario['request']>()
}

const each = v.pipe(
  v.record(v.string(), above0),
  v.check((numbers) => Object.keys(numbers).length > 0)
)

/** What a scenario's file exports, by its kind, as `Scenario` describes it. */
export const scenarioSchemas = {
  limit: v.strictObject({
    ...limited,
    kind: v.literal('limit'),
    each,
    clause: code<LimitScenario['clause']>()
  }),
  check: v.strictObject({ ...checked, kind: v.literal('check') }),
  load: v.strictObject({ ...loaded, kind: v.literal('load') }),
  capacity: v.strictObject({
    ...searched,
    kind: v.literal('capacity'),
    demand: v.strictObject(demand)
  }),
  soak: v.strictObject({ ...soaked, kind: v.literal('soak') })
}

const { variants, smallest, resolution, ceiling, repeats } = limited
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(schema)

/** What authors hand to `limit`, `check` and the others, which know what else there is to be. */
export const optionSchemas = {
  limit: v.strictObject({
    ...limited,
    variants: optional(variants),
    smallest: optional(smallest),
    resolution: optional(resolution),
    ceiling: optional(ceiling),
    repeats: optional(repeats),
    max: optional(above0),
    each: optional(each),
    clause: v.custom<unknown>((value) => ['string', 'function'].includes(typeof value))
  }),
  check: v.strictObject(checked),
  load: v.strictObject({
    ...loaded,
    clauses: optional(names),
    transport: optional(loaded.transport)
  }),
  capacity: v.strictObject({
    ...searched,
    ...demand,
    errorRatio: optional(ratio),
    clauses: optional(names),
    ceiling: optional(searched.ceiling),
    seconds: optional(above0),
    connections: optional(whole()),
    transport: optional(enduring)
  }),
  soak: v.strictObject({ ...soaked, clauses: optional(names), transport: optional(enduring) })
}
