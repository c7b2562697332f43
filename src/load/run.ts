import { type Clock, clock as machineClock } from '../clock.ts'
import { createClosed } from './closed.ts'
import type { WorkerHealth } from './health.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { createLive, createLiveMemory, type Live } from './live.ts'
import { durationMs, type Load } from './load.ts'
import { createMetrics, type Metrics, mergeTallies, type Tally } from './metrics.ts'
import { createOpen, type Executor, type Iterations } from './open.ts'
import { createPacer } from './pacer.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { originOf, prepare, type Request } from './request.ts'
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
  /** What is asked: iterations take these requests in turn. */
  request: Request | readonly Request[]
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
  /** The stretch that was measured, in milliseconds after the start. */
  fromMs: number
  toMs: number
}

/** Everything a share works with. */
type Kit = {
  options: ShareOptions
  share: Share
  part: Load
  timeline: Timeline
  metrics: Metrics
  live: Live
  recorder: Recorder
  lag: Histogram
}

function createKit(options: ShareOptions, share: Share): Kit {
  const { load, clock = machineClock } = options
  const metrics = createMetrics()
  const live = createLive(options.live ?? createLiveMemory())
  return {
    options,
    share,
    part: partOf(load, share),
    timeline: createTimeline(clock),
    metrics,
    live,
    recorder: createRecorder({ phases: load.phases, metrics, live }),
    lag: createHistogram()
  }
}

function createExecutor({ options, share, part, timeline, recorder, lag }: Kit): Executor {
  const { stopped, seed, load } = options
  const conditions = { share, timeline, stopped }
  if (part.model === 'closed') return createClosed({ ...conditions, load: part, seed })
  const pacer = createPacer({ phases: load.phases, seed })
  return createOpen({
    ...conditions,
    load: part,
    pacer,
    onLag: lag.record,
    onDrop: recorder.drop
  })
}

function createTransport(kit: Kit, origin: string, executor: Executor): Transport {
  const { options, part, timeline, metrics, recorder } = kit
  const create = options.engine === 'undici' ? createUndici : createWire
  return create({
    origin,
    connections: part.connections,
    pipelining: part.pipelining,
    timeoutMs: part.timeoutMs,
    verifyTls: options.verifyTls ?? true,
    now: timeline.now,
    onSample(sample) {
      recorder.record(sample)
      executor.finished(sample.token, sample.end)
    },
    onConnect: metrics.recordConnect
  })
}

/** Iterations that each send one of the requests, in turn. */
function inTurn(kit: Kit, transport: Transport, requests: readonly Request[]): Iterations {
  const { metrics, live } = kit
  const prepared = requests.map((request) =>
    prepare(request, { route: metrics.routeNumber(request.route), keeps: false })
  )
  return {
    begin(n, due, token) {
      live.begin()
      transport.send(prepared[n % prepared.length]!, due, token)
    },
    flush: transport.flush
  }
}

/** Looks now and then how many iterations are in flight; the function returned gives their mean. */
function countInFlight(executor: Executor): () => number {
  let looks = 0
  let sum = 0
  const timer = setInterval(() => {
    looks++
    sum += executor.inFlight()
  }, 10)
  return () => {
    clearInterval(timer)
    return looks > 0 ? sum / looks : 0
  }
}

function reached(timeline: Timeline, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (timeline.now() >= ms ? resolve() : timeline.at(ms, look))
    look()
  })
}

/** The stretch that was measured: from the first measured phase to the end, or the last response. */
function stretch({ options, recorder, timeline }: Kit): { fromMs: number; toMs: number } {
  const { phases } = options.load
  const first = phases.findIndex(({ measured }) => measured)
  const fromMs = durationMs(phases.slice(0, Math.max(0, first)))
  const toMs = Math.max(recorder.lastEnd(), Math.min(durationMs(phases), timeline.now()))
  return { fromMs, toMs: Math.max(fromMs, toMs) }
}

async function carryOut(
  kit: Kit,
  {
    executor,
    transport,
    iterations
  }: {
    executor: Executor
    transport: Transport
    iterations: Iterations
  }
): Promise<ShareResult> {
  const { options, timeline, metrics, lag } = kit
  const { clock = machineClock, startAt } = options
  if (startAt !== undefined) timeline.startAt(startAt)
  await Promise.race([transport.open(), ...(startAt === undefined ? [] : [clock.until(startAt)])])
  if (startAt === undefined) timeline.startAt(clock.now())
  await reached(timeline, 0)
  const endWatch = watch()
  const meanInFlight = countInFlight(executor)
  const unfinished = await executor.run(iterations)
  const observed = endWatch()
  return {
    model: options.load.model,
    tally: metrics.tally(),
    health: { ...observed, lag: lag.distribution(), meanInFlight: meanInFlight() },
    connections: transport.connections(),
    begun: executor.begun(),
    unfinished,
    ...stretch(kit)
  }
}

/** Carries out one worker's part of a load in this thread. */
export async function runShare(options: ShareOptions): Promise<ShareResult> {
  const { load, request } = options
  const share = { index: options.share.index, count: usefulWorkers(load, options.share.count) }
  if (share.index >= share.count) return idle(load)
  const kit = createKit(options, share)
  const executor = createExecutor(kit)
  const requests = [request].flat()
  const transport = createTransport(kit, originOf(requests[0]!), executor)
  try {
    const iterations = inTurn(kit, transport, requests)
    return await carryOut(kit, { executor, transport, iterations })
  } finally {
    transport.close()
    kit.metrics.destroy()
    kit.lag.destroy()
  }
}

/** What a worker brings home for which there is no connection left. */
function idle({ model }: Load): ShareResult {
  const nothing = { begun: 0, unfinished: 0, fromMs: Infinity, toMs: 0 }
  return { model, tally: mergeTallies([]), connections: noConnections(), ...nothing }
}
