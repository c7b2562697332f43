import { type Clock, clock as machineClock } from '../clock.ts'
import { type Routes, routeTo } from '../route.ts'
import { createAutocannon } from './autocannon.ts'
import { createClosed } from './closed.ts'
import type { Drive } from './drive.ts'
import type { Executor } from './executor.ts'
import type { WorkerHealth } from './health.ts'
import { type Checks, createInTurn, type Iterations } from './iterations.ts'
import { createJourneys, type Iteration } from './journey.ts'
import { createLive, createLiveMemory } from './live.ts'
import { durationMs, type Load, measuredFrom } from './load.ts'
import { createMetrics, type Metrics, mergeTallies, type Tally } from './metrics.ts'
import { createOpen } from './open.ts'
import { createOrigins } from './origins.ts'
import { createPacer, isMeasured } from './pacer.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { originOf, type Request } from './request.ts'
import { partOf, type Share, usefulWorkers } from './share.ts'
import { createTimeline, type Timeline } from './timeline.ts'
import { type Connections, type Engine, noConnections, type Transport } from './transport.ts'
import { createUndici } from './undici.ts'
import { watch } from './watch.ts'
import { createWire } from './wire.ts'

/** One worker's part of a load, and all it takes to carry it out. */
export type ShareOptions = {
  load: Load
  share: Share
  /** What is asked: these requests in turn, or what a function makes of each iteration. */
  request: Request | readonly Request[] | Iteration
  /** What the response to each single request is held against; failures are counted, no more. */
  checks?: Checks
  engine: Engine
  seed: number
  /** When to begin, by the clock; the connections are made before. Default: when they are. */
  startAt?: number
  /** Asked often; true ends the load early. */
  stopped: () => boolean
  /** Memory in which others can see how it goes; see `createLiveMemory`. */
  live?: SharedArrayBuffer
  /** False sends to targets whose certificate cannot be verified. Default: true. */
  verifyTls?: boolean
  /** Where origins lead; beyond loopback nothing is sent to one that is not here. */
  routes?: Routes
  clock?: Clock
}

/** What one worker brings home, as plain data. */
export type ShareResult = {
  model: Load['model']
  tally: Tally
  /** Absent when there was nothing for the worker to do. */
  health?: WorkerHealth
  connections: Connections
  /** Iterations begun, measured or not, and those of them that were unfinished when time was up. */
  begun: number
  unfinished: number
  /** What the scenario's own code threw, and how often. */
  faults: Record<string, number>
  /** The stretch that was measured, in milliseconds after the start. */
  fromMs: number
  toMs: number
}

/** What a share works with, whatever the engine. */
type Kit = {
  options: ShareOptions
  share: Share
  part: Load
  timeline: Timeline
  metrics: Metrics
  recorder: Recorder
}

function createKit(options: ShareOptions, share: Share): Kit {
  const { load, clock = machineClock, live = createLiveMemory() } = options
  const metrics = createMetrics()
  return {
    options,
    share,
    part: partOf(load, share),
    timeline: createTimeline(clock),
    metrics,
    recorder: createRecorder({ phases: load.phases, metrics, live: createLive(live) })
  }
}

function createExecutor({ options, share, part, timeline, recorder }: Kit): Executor {
  const { stopped, seed, load } = options
  const conditions = { share, timeline, stopped }
  if (part.model === 'closed') return createClosed({ ...conditions, load: part, seed })
  const pacer = createPacer({ phases: load.phases, seed })
  const { lag, drop } = recorder
  return createOpen({ ...conditions, load: part, pacer, onLag: lag, onDrop: drop })
}

function createTransport(
  { options, part, timeline, metrics }: Kit,
  onSample: Iterations['onSample']
): Transport {
  const { engine, verifyTls = true, request, routes, clock = machineClock } = options
  const { connections, pipelining, timeoutMs } = part
  const make = (origin: string) =>
    (engine === 'undici' ? createUndici : createWire)({
      ...{ origin, connections, pipelining, timeoutMs, verifyTls, onSample },
      ...{ route: routeTo(origin, routes), clock },
      now: timeline.now,
      onConnect: metrics.recordConnect
    })
  const requests = typeof request === 'function' ? [] : [request].flat()
  const origins = [...new Set(requests.map(originOf))]
  return origins.length === 1 ? make(origins[0]!) : createOrigins(make, origins)
}

function createDrive(kit: Kit): Drive {
  const { options, part } = kit
  const { request, checks, seed, verifyTls = true, stopped, routes } = options
  if (options.engine === 'autocannon') {
    const whole = options.load
    return createAutocannon({ ...kit, load: part, whole, request, verifyTls, stopped, routes })
  }
  const { begun, inFlight, run, finished } = createExecutor(kit)
  const transport = createTransport(kit, (sample) => iterations.onSample(sample))
  const parts = { ...kit, transport, checks, seed, onEnd: finished }
  const iterations =
    typeof request === 'function'
      ? createJourneys(request, parts)
      : createInTurn([request].flat(), parts)
  const { open, connections, close } = transport
  return { open, run: () => run(iterations), begun, inFlight, connections, close }
}

function reached(timeline: Timeline, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (timeline.now() >= ms ? resolve() : timeline.at(ms, look))
    look()
  })
}

/** Watches from the first measured phase on; the function returned says what was seen by then. */
function watchMeasured(kit: Kit, { inFlight }: Drive): () => WorkerHealth {
  const { phases } = kit.options.load
  const { now, after } = kit.timeline
  const counts = () => now() < durationMs(phases) && isMeasured(phases, now())
  const begin = () => watch({ inFlight, counts })
  let end = begin()
  let isOver = false
  after(measuredFrom(phases), () => {
    if (isOver) return
    end()
    end = begin()
  })
  return () => {
    isOver = true
    return { ...end(), lag: kit.recorder.lags() }
  }
}

async function carryOut(kit: Kit, drive: Drive): Promise<ShareResult> {
  const { options, timeline, metrics, recorder } = kit
  const { load, clock = machineClock, startAt } = options
  let health: WorkerHealth | undefined
  if (startAt !== undefined) timeline.startAt(startAt)
  await Promise.race([drive.open(), ...(startAt === undefined ? [] : [clock.until(startAt)])])
  if (startAt === undefined) timeline.startAt(clock.now())
  await reached(timeline, 0)
  const endWatch = watchMeasured(kit, drive)
  const unfinished = await drive.run().finally(() => {
    health = endWatch()
  })
  const fromMs = measuredFrom(load.phases)
  const toMs = Math.max(recorder.lastEnd(), Math.min(durationMs(load.phases), timeline.now()))
  return {
    model: load.model,
    tally: metrics.tally(),
    health,
    connections: drive.connections(),
    begun: drive.begun(),
    unfinished,
    faults: recorder.faults(),
    fromMs,
    toMs: Math.max(fromMs, toMs)
  }
}

/** Carries out one worker's part of a load in this thread. */
export async function runShare(options: ShareOptions): Promise<ShareResult> {
  const { load } = options
  const share = { index: options.share.index, count: usefulWorkers(load, options.share.count) }
  if (share.index >= share.count) return idle(load)
  const kit = createKit(options, share)
  const drive = createDrive(kit)
  try {
    return await carryOut(kit, drive)
  } finally {
    drive.close()
    kit.metrics.destroy()
    kit.recorder.destroy()
  }
}

/** What a worker brings home that has done nothing. */
export function idle({ model }: Load): ShareResult {
  const nothing = { begun: 0, unfinished: 0, faults: {}, fromMs: Infinity, toMs: 0 }
  return { model, tally: mergeTallies([]), connections: noConnections(), ...nothing }
}
