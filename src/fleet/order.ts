import { deserialize, serialize } from 'node:v8'
import * as v from 'valibot'
import type { Destination, OpenOrder, TrialOrder } from '../engine/load-worker.ts'
import { fileDigest } from '../file-digest.ts'
import { eventsSchema } from '../load/events/events-asked.ts'
import type { ShareResult } from '../load/figures/result.ts'
import { grpcSchema } from '../load/grpc/grpc-asked.ts'
import { largest } from '../load/load.ts'
import { loadSchemas } from '../load/load-schema.ts'
import { transportNames } from '../load/transports/transport.ts'
import { finite, from0, lasting, whole } from '../number.ts'
import { tablesOf } from '../target/target.ts'

/** The queue that an agent's orders wait in. */
export function queueOf(agent: string): string {
  return `plimsoll-orders-${agent}`
}

/** The largest numbers in an order that an agent takes. */
const most = { ...largest, phases: 1e4, destinations: 100, turns: 2 }

const bytes = v.custom<Uint8Array>((value) => value instanceof Uint8Array, 'no bytes')
const strings = v.record(v.string(), v.string())
const { load, connections } = loadSchemas(most)

const share = v.pipe(
  v.strictObject({ index: from0(1e6), count: whole(1e6) }),
  v.check(({ index, count }) => Number.isInteger(index) && index < count, 'there is no such part')
)

const request = v.strictObject({
  url: v.pipe(v.string(), v.regex(/^(https?|wss?):\/\//), v.url()),
  method: v.optional(v.string()),
  headers: v.optional(
    v.record(v.string(), v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())]))
  ),
  body: v.optional(v.union([v.string(), bytes])),
  route: v.optional(v.string()),
  events: v.optional(eventsSchema),
  grpc: v.optional(grpcSchema),
  answer: v.optional(v.string())
})
const endpoint = v.strictObject({
  url: v.pipe(v.string(), v.url()),
  headers: v.optional(strings),
  verifyTls: v.optional(v.boolean())
})
const target = v.strictObject({
  name: v.string(),
  endpoints: v.record(v.string(), endpoint),
  tables: v.record(v.string(), strings)
})
const source = v.union([
  v.strictObject({ requests: v.pipe(v.array(request), v.minLength(1)) }),
  v.strictObject({
    scenario: v.string(),
    /** SHA-256 of the scenario's file there. */
    digest: v.string(),
    target
  })
])
const destination = v.strictObject({
  source,
  transport: v.picklist(transportNames),
  ...connections,
  verifyTls: v.boolean()
})

const common = {
  id: v.string(),
  /** The lease it is carried out under. */
  lease: v.string(),
  /** The version of whoever sent it. */
  version: v.string(),
  /** Which of the agent's threads it is for. */
  thread: from0(1e6),
  /** How long it may take, in milliseconds; Infinity where iterations end it. */
  limitMs: lasting
}
const order = v.variant('kind', [
  v.strictObject({
    kind: v.literal('open'),
    ...common,
    destinations: v.pipe(v.array(destination), v.minLength(1), v.maxLength(most.destinations)),
    share,
    withinMs: lasting
  }),
  v.strictObject({
    kind: v.literal('trial'),
    ...common,
    /** Which of the destinations it goes to: to several in turns. */
    to: v.pipe(v.array(from0(most.destinations)), v.minLength(1), v.maxLength(most.turns)),
    load,
    seed: v.pipe(v.number(), v.integer()),
    /** By the fleet's clock. */
    startAt: finite,
    /** Which share of the requests carries a trace's context. */
    traced: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)))
  }),
  v.strictObject({ kind: v.literal('close'), ...common })
])

/** What one thread of an agent is to do, as it travels there. */
export type PartOrder = v.InferOutput<typeof order>

/** The orders of one kind. */
export type OrderTo<Kind extends PartOrder['kind']> = Extract<PartOrder, { kind: Kind }>

/** An order without what says where and for whom it is. */
export type Bare<Of extends PartOrder = PartOrder> = Of extends unknown
  ? Omit<Of, 'id' | 'lease' | 'version' | 'thread' | 'limitMs'>
  : never

/** What an agent tells while it goes on, and so that it has taken the order. */
export type Sign = { live?: string[] }

/** What became of an order: a part of a load for each that it went to, or why it was not sent. */
export type PartOutcome = { result?: ShareResult[] } | { refused: string }

/**
 * A destination as far as it travels: of a scenario its name, of a target what is said about it,
 * and nothing of where that leads from here.
 */
function travelling({ routes: _, verifyTls = true, ...given }: Destination) {
  const { source } = given
  if ('requests' in source) return { ...given, source, verifyTls }
  const { name, endpoints } = source.target
  const said = Object.entries(endpoints).map(([key, { url, headers, verifyTls }]) => {
    return [key, { url, ...(headers && { headers }), ...(verifyTls === false && { verifyTls }) }]
  })
  const told = { name, endpoints: Object.fromEntries(said), tables: tablesOf(source.target) }
  const { scenario, file } = source.unit
  return { ...given, verifyTls, source: { scenario, digest: fileDigest(file), target: told } }
}

/** The order to open, as it travels. */
export function openingOf({ destinations, ...order }: OpenOrder): Bare<OrderTo<'open'>> {
  return { kind: 'open', ...order, destinations: destinations.map(travelling) }
}

/** The order to carry out a trial, as it travels; what it begins at is by the fleet's clock. */
export function trialOf({ live: _, stop: __, ...order }: TrialOrder): Bare<OrderTo<'trial'>> {
  return { kind: 'trial', ...order, to: [...order.to] }
}

/** The order in what was sent; throws an Error that names the field which is wrong. */
export function readOrder(text: string): PartOrder {
  const result = v.safeParse(order, fromText(text))
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Error(`the order is none: ${v.getDotPath(issue) ?? 'all of it'}: ${issue.message}`)
}

/** Plain data as text; unlike JSON it keeps Infinity, NaN and bytes, which loads are full of. */
export function toText(value: unknown): string {
  return serialize(value).toString('base64')
}

/** The plain data behind a text that `toText` made; throws an Error for any other. */
export function fromText<Value>(text: string): Value {
  return deserialize(Buffer.from(text, 'base64'))
}
