import { type Clock, clock as machineClock } from '../clock.ts'
import { createClosed } from '../load/closed.ts'
import type { Executor } from '../load/executor.ts'
import { createInTurn, type Iterations } from '../load/iterations.ts'
import { createLive, createLiveMemory } from '../load/live.ts'
import { durationMs, type Load, measuredFrom } from '../load/load.ts'
import { createMetrics } from '../load/metrics.ts'
import { createOpen } from '../load/open.ts'
import { createPacer, isMeasured } from '../load/pacer.ts'
import { createRecorder, type Recorder } from '../load/recorder.ts'
import { originOf, type Request } from '../load/request.ts'
import type { ShareResult } from '../load/run.ts'
import type { Sample } from '../load/sample.ts'
import { partOf, portion, type Share } from '../load/share.ts'
import { createTimeline, type Timeline } from '../load/timeline.ts'
import type { Transport } from '../load/transport.ts'
import { createUndici } from '../load/undici.ts'
import { watch } from '../load/watch.ts'
import { createWire } from '../load/wire.ts'
import { type Route, routeTo } from '../route.ts'

/** What a rig is made of: whom it asks, and its part of the connections. */
export type RigOptions = {
  /** Asked in turn; all of one origin. */
  requests: readonly Request[]
  share: Share
  engine: RigEngine
  connections: number
  pipelining: number
  timeoutMs: number
  verifyTls: boolean
  /** Where the requests' origin leads; one on loopback needs none. */
  route?: Route
}

/** The engines whose connections outlast one load. */
export type RigEngine = 'wire' | 'undici'

/** One short load, sent over connections that are there already. */
export type TrialTask = { load: Load; seed: number; startAt: number }

/**
 * One thread's connections to one target, kept open from trial to trial, so that a trial may be as
 * short as 100 ms and measures no handshake.
 */
export type Rig = {
  /** Makes the connections; resolves when each is there or has failed once. */
  open(): Promise<void>
  /** Carries out this thread's part of a load; one at a time. */
  trial(task: TrialTask): Promise<ShareResult>
  close(): void
}

/** When a trial begins, in milliseconds of its rig's timeline. */
type Start = { ms: number }

/** The time of one trial, on a timeline that goes on from trial to trial. */
function since(start: Start, timeline: Timeline): Timeline {
  return {
    now: () => timeline.now() - start.ms,
    startAt: timeline.startAt,
    at: (ms, call) => timeline.at(start.ms + ms, call),
    after: timeline.after
  }
}

/** Makes a sample's times those of a trial that began at `startMs`. */
function shift(sample: Sample, startMs: number): Sample {
  sample.due -= startMs
  sample.sent -= startMs
  sample.first -= startMs
  sample.end -= startMs
  return sample
}

/** What takes down one trial, and what begins its iterations. */
type Kit = {
  task: TrialTask
  share: Share
  timeline: Timeline
  recorder: Recorder
  stopped: () => boolean
}

function createExecutor({ task, share, timeline, recorder, stopped }: Kit): Executor {
  const { load, seed } = task
  const part = partOf(load, share)
  const conditions = { share, timeline, stopped }
  if (part.model === 'closed') return createClosed({ ...conditions, load: part, seed })
  const pacer = createPacer({ phases: load.phases, seed })
  const { lag, drop } = recorder
  return createOpen({ ...conditions, load: part, pacer, onLag: lag, onDrop: drop })
}

/** Sends one trial over a transport; `listen` says who hears of the samples meanwhile. */
async function carryOut(
  kit: Omit<Kit, 'recorder' | 'timeline'> & Pick<RigOptions, 'requests'> & { transport: Transport },
  { start, timeline }: { start: Start; timeline: Timeline },
  listen: (onSample: Iterations['onSample']) => void
): Promise<ShareResult> {
  const { requests, transport, task } = kit
  const metrics = createMetrics()
  const live = createLive(createLiveMemory())
  const recorder = createRecorder({ phases: task.load.phases, metrics, live })
  const own = since(start, timeline)
  const executor = createExecutor({ ...kit, timeline: own, recorder })
  const { begin, flush, onSample } = createInTurn(requests, {
    ...{ transport, metrics, recorder, onEnd: executor.finished }
  })
  listen(onSample)
  const { phases } = task.load
  const endMs = durationMs(phases)
  const counts = () => own.now() < endMs && isMeasured(phases, own.now())
  const observed = watch({ inFlight: executor.inFlight, counts })
  await new Promise<void>((resolve) => {
    const look = () => (own.now() >= 0 ? resolve() : own.at(0, look))
    look()
  })
  // A thread that was late to get ready has its whole trial before it all the same.
  start.ms = timeline.now()
  const unfinished = await executor.run({
    begin: (n, due, token) => begin(n, start.ms + due, token),
    flush
  })
  // A late answer to what was left unfinished finds nobody, rather than what is destroyed below.
  listen(() => {})
  const result: ShareResult = {
    model: task.load.model,
    tally: metrics.tally(),
    health: { ...observed(), lag: recorder.lags() },
    connections: transport.connections(),
    begun: executor.begun(),
    unfinished,
    faults: {},
    fromMs: measuredFrom(phases),
    toMs: Math.max(recorder.lastEnd(), endMs)
  }
  metrics.destroy()
  recorder.destroy()
  return result
}

/** A rig whose connections are still to be made; `stopped` ends a trial early. */
export function createRig(
  options: RigOptions,
  stopped: () => boolean,
  clock: Clock = machineClock
): Rig {
  const { requests, share, engine, connections } = options
  const origin = originOf(requests[0]!)
  const { route = routeTo(origin) } = options
  const timeline = createTimeline(clock)
  let onSample: Iterations['onSample'] = () => {}
  const transport = (engine === 'undici' ? createUndici : createWire)({
    ...options,
    ...{ origin, route, clock },
    connections: portion(connections, share),
    now: timeline.now,
    onSample: (sample) => onSample(sample),
    onConnect() {}
  })
  return {
    open: transport.open,
    trial(task) {
      const start = { ms: timeline.now() + task.startAt - clock.now() }
      return carryOut({ task, share, stopped, requests, transport }, { start, timeline }, (own) => {
        // What an earlier trial left unfinished is none of this one's.
        onSample = (sample) => {
          if (sample.due >= start.ms) own(shift(sample, start.ms))
        }
      })
    },
    close: transport.close
  }
}
