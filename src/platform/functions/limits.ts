import type { EventKind } from './isolate/contract.ts'
import type { FunctionPlan, PlanClass } from './plan.ts'

const KiB = 1_024
const MiB = 1_048_576
const minuteMs = 60_000

type PerPlan<Value> = Record<FunctionPlan, Value>
type PerClass = Record<PlanClass, number>

const everyPlan = <Value>(value: Value): PerPlan<Value> => ({
  free: value,
  bundled: value,
  unbound: value,
  standard: value
})

/** An event has the processor time of a request where the document names none of its own. */
const cpu = (requestMs: number, scheduledMs = requestMs): Record<EventKind, number> => ({
  fetch: requestMs,
  scheduled: scheduledMs,
  queue: requestMs,
  alarm: requestMs
})

const quarter = { scheduled: 15 * minuteMs, alarm: 15 * minuteMs, queue: 15 * minuteMs }

/** Every number about functions this platform enforces, each inclusive. */
export const functionLimits = {
  /** Text variables and secrets of a function together. */
  variables: { free: 64, paid: 128 } as PerClass,
  /** UTF-8 bytes of the value of one of them (document: 5 KB). */
  variableBytes: { free: 5 * KiB, paid: 5 * KiB } as PerClass,
  /** All modules of a function, compressed with gzip (document: 1 and 10 MB). */
  compressedBytes: { free: MiB, paid: 10 * MiB } as PerClass,
  /** Processor time to parse and run the global scope. */
  startupMs: { free: 400, paid: 400 } as PerClass,
  /** Functions of an account. */
  functions: { free: 100, paid: 500 } as PerClass,
  /** Scheduled triggers of all functions of an account. */
  triggers: { free: 5, paid: 250 } as PerClass,
  routesPerZone: 1_000,
  /** Zones that the routes of one function are in. */
  zonesPerFunction: 1_000,
  /** Requests of an account in any 60 seconds, and from midnight to midnight UTC. */
  requests: { perMinute: 1_000, perDay: 100_000 },
  /** Requests to functions of one zone from one address, beyond which it is called abuse. */
  abuse: { requests: 2_000, windowMs: 1_000 },
  subrequests: { free: 50, bundled: 50, unbound: 1_000, standard: 1_000 } as PerPlan<number>,
  internalSubrequests: everyPlan(1_000),
  connections: { free: 6, paid: 6 } as PerClass,
  memoryBytes: everyPlan(128 * MiB),
  cpuMs: {
    free: cpu(10),
    bundled: cpu(50),
    unbound: cpu(30_000, 15 * minuteMs),
    standard: cpu(30_000, 15 * minuteMs)
  } as PerPlan<Record<EventKind, number>>,
  durationMs: { free: {}, bundled: {}, unbound: quarter, standard: quarter } as PerPlan<
    Partial<Record<EventKind, number>>
  >,
  /** How long promises handed to `waitUntil` delay the end. */
  waitUntilMs: 30_000,
  /** Console output, exceptions, request metadata and headers that are recorded (128 KB). */
  consoleBytes: 128 * KiB,
  /** Largest object a function can put into the cache (document: 512 MB). */
  cacheObjectBytes: everyPlan(512 * MiB),
  /** Largest value of the key-value store; the document is silent. */
  valueBytes: 25 * MiB,
  /** How often a message or an alarm is tried before it is given up; the document is silent. */
  attempts: { queue: 4, alarm: 7 },
  /** How many functions can be asked by one another in a row; the document is silent. */
  depth: 16,
  /** Messages a consumer gets at once. */
  batchMessages: 10,
  /** Invocations of a function that can be read back. */
  keptInvocations: 500
}

/** The shape of `functionLimits`. */
export type FunctionLimits = typeof functionLimits
