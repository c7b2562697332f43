import { type Clock, clock as machineClock } from '../clock.ts'
import { random } from '../random.ts'
import { isMeasured } from './arrivals/pacer.ts'
import { createTicker } from './arrivals/ticker.ts'
import { createTimeline, type Timeline } from './arrivals/timeline.ts'
import { createTurns } from './arrivals/turns.ts'
import { hdr } from './figures/hdr.ts'
import { createMetrics } from './figures/metrics.ts'
import { createRecorder } from './figures/recorder.ts'
import type { ShareResult } from './figures/result.ts'
import { watchGenerator } from './health/generator-health.ts'
import type { WorkerHealth } from './health/health.ts'
import { createLiveCounters, createLiveMemory } from './health/live-counters.ts'
import {
  createLink,
  type Delivery,
  type Kit,
  type Link,
  type Made,
  type SendTarget
} from './link.ts'
import { durationMs, type Load, measuredFrom, peak } from './load.ts'
import { isSocket } from './requests/request.ts'
import { createTracer } from './requests/tracer.ts'
import { partOf, type Share, usersBelow } from './share.ts'
import { transports as known, type Transports } from './transports/transports.ts'
import type { MakeSockets } from './websocket/sockets.ts'

/** One load, to be sent over connections that are there already. */
export type PartTrial = {
  load: Load
  seed: number
  /** When to begin, by the clock. Default: at once. */
  startAt?: number
  /** Asked often; true ends the load early. */
  stopped: () => boolean
  /** Memory for each target in which others can see how it goes; see `createLiveMemory`. */
  live?: readonly SharedArrayBuffer[]
  /** Which share of the requests carries a trace's context. Default: 0. */
  traced?: number
}

/** One thread's part of what sends loads; its connections stay from one trial to the next. */
export type PartSender = {
  /**
   * Makes all connections to these targets, anew where there were some; resolves when each is
   * there or has failed once, or after so long: those that are missing come during the trial.
   */
  open(targets: readonly SendTarget[], withinMs?: number): Promise<void>
  /** Carries out this part of a load to the n-th of the targets; one at a time. */
  trial(target: number, trial: PartTrial): Promise<ShareResult>
  /**
   * The same of a closed load that goes to each of several targets, in turns; with a result for
   * each, in the same order.
   */
  inTurns(targets: readonly number[], trial: PartTrial): Promise<ShareResult[]>
  close(): void
}

/** What a sender takes from outside; tests bring time and transports of their own. */
export type Outside = { clock?: Clock; timeline?: Timeline; transports?: Transports }

/** Who is later than this begins the trial all the same, and not in the midst of it. */
const lateMs = 1

/** When a trial begins, in milliseconds of the timeline that goes on from trial to trial. */
type Start = { ms: number }

/** What sends to a target: messages over WebSockets, or requests by the transport it names. */
async function madeFor(target: SendTarget, transports: Transports): Promise<Made> {
  const { request, transport } = target
  const requests = typeof request === 'function' ? [] : [request].flat()
  if (requests.some(({ grpc }) => grpc) && transport !== 'http2')
    throw new RangeError(`${transport} speaks no gRPC: use the transport "http2"`)
  if (!requests.some(isSocket)) return transports[transport]()
  if (transport !== 'http1' && transport !== 'wire')
    throw new RangeError(`${transport} speaks no WebSocket: use the transport "http1"`)
  if (!requests.every(isSocket))
    throw new RangeError('requests to WebSockets and to others go in no list: use an iteration')
  return { make: (await import('./websocket/socket-pool.ts')).createSocketPool }
}

/** What opens WebSockets for iterations; nobody else has to load it. */
async function makeSocketsFor({ request }: SendTarget): Promise<MakeSockets | undefined> {
  if (typeof request !== 'function') return undefined
  return (await import('./websocket/sockets.ts')).createSockets
}

function since(start: Start, timeline: Timeline): Timeline {
  const { now, at, wakeAt } = timeline
  return {
    ...timeline,
    now: () => now() - start.ms,
    at: (ms, call) => at(start.ms + ms, call),
    wakeAt: (ms, call) => wakeAt(start.ms + ms, call)
  }
}

function reached(timeline: Timeline, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (timeline.now() >= ms ? resolve() : timeline.at(ms, look))
    look()
  })
}

/** Watches from the first measured phase on; the function returned says what was seen by then. */
function watchMeasured({ load, timeline, recorder, turn }: Kit, { inFlight }: Delivery) {
  const { phases } = load
  const { now, after } = timeline
  const isOn = turn?.isOn ?? (() => true)
  const counts = () => now() < durationMs(phases) && isMeasured(phases, now()) && isOn()
  const begin = () => watchGenerator(timeline, { inFlight, counts })
  let end = begin()
  let isOver = false
  after(measuredFrom(phases), () => {
    if (isOver) return
    end()
    end = begin()
  })
  return (): WorkerHealth => {
    isOver = true
    return { ...end(), lag: recorder.lags() }
  }
}

/**
 * Iterations of each user in a turn, which takes a 16th of the load's time at most. The first find
 * nobody before them, and what a server still does after an answer delays the next request to it
 * alone: of one in a turn none would meet that, and of several users one of each would be another
 * load, a p50 of 5.4 ms of 10 users, whose requests take a server 0.9 ms each, in place of 9.0.
 */
const inTurn = { alone: 1, several: 2, most: 4, share: 1 / 16 }

/** Turns of a closed load's users on this thread. */
function turnsOf(
  { load, seed }: PartTrial,
  { share, count, own }: { share: Share; count: number; own: Timeline }
) {
  if (load.model !== 'closed') throw new RangeError('an open load takes no turns')
  const users = usersBelow(peak(load.phases), share)
  const next = random(seed, `turns ${share.index}`)
  const fewest = users * (users > 1 ? inTurn.several : inTurn.alone)
  const withinMs = inTurn.share * durationMs(load.phases)
  const iterations = { fewest, most: users * inTurn.most, withinMs }
  return createTurns(count, { iterations, next, now: own.now })
}

/** What this part of a trial to one target works with, and takes down. */
function kitOf(
  { load, seed, stopped, traced = 0 }: PartTrial,
  live: SharedArrayBuffer,
  parts: Pick<Kit, 'share' | 'timeline' | 'turn'> & Pick<SendTarget, 'metrics'>
): Kit {
  const { share } = parts
  const { phases } = load
  const metrics = createMetrics(parts.metrics)
  const tracer = traced > 0 ? createTracer(traced, seed + share.index) : undefined
  const recorder = createRecorder({ phases, metrics, live: createLiveCounters(live), tracer })
  return { ...parts, load, part: partOf(load, share), seed, stopped, metrics, recorder, tracer }
}

/** Has a delivery made, and says what came of it; times are from when it was to begin. */
async function deliver(kit: Kit, delivery: Delivery, beganLateMs: number): Promise<ShareResult> {
  const { load, timeline, metrics, recorder, tracer, turn } = kit
  let health: WorkerHealth | undefined
  const endWatch = watchMeasured(kit, delivery)
  const left = await delivery.run().finally(() => {
    health = endWatch()
  })
  const endedMs = timeline.now()
  // What ended since then is in the tally.
  const unfinished = Math.min(left, delivery.inFlight())
  const fromMs = measuredFrom(load.phases)
  const over = Math.max(recorder.lastEnd(), Math.min(durationMs(load.phases), endedMs))
  const toMs = turn === undefined ? over : fromMs + turn.heldMs()
  return {
    model: load.model,
    tally: metrics.tally(),
    health,
    connections: delivery.connections(),
    begun: delivery.begun(),
    unfinished,
    faults: recorder.faults(),
    fromMs: beganLateMs + fromMs,
    toMs: beganLateMs + Math.max(fromMs, toMs),
    // In turns the time of others is in between.
    ...(turn === undefined && {
      after: { ...recorder.after(), ms: Math.max(0, over - durationMs(load.phases)) }
    }),
    waits: recorder.waits(endedMs, kit.part.connections * kit.part.pipelining),
    ...(tracer && { traced: tracer.slowest() })
  }
}

/** A sender of that part of all loads, with no connections yet; it sends from this thread. */
export function createPartSender(share: Share, outside: Outside = {}): PartSender {
  const { clock = machineClock, transports = known } = outside
  // When connections have taken all descriptors there are, no file can be read any more.
  hdr()
  const ticker = createTicker()
  const { timeline = createTimeline(clock, ticker) } = outside
  let links: Link[] = []
  let declared: (SendTarget['metrics'] | undefined)[] = []
  const close = () => {
    for (const link of links.splice(0)) link.close()
    ticker.end()
  }
  const startsIn = ({ startAt }: PartTrial) => (startAt === undefined ? 0 : startAt - clock.now())
  const carryOut = async (targets: readonly number[], trial: PartTrial): Promise<ShareResult[]> => {
    const asked = targets.map((target) => links[target])
    if (!asked.every((link) => link !== undefined))
      throw new Error('there are no connections to send over')
    const start = { ms: timeline.now() + startsIn(trial) }
    const own = since(start, timeline)
    const turns = asked.length > 1 ? turnsOf(trial, { share, count: asked.length, own }) : undefined
    const kits = targets.map((target, at) => {
      const parts = { share, timeline: own, turn: turns?.of[at], metrics: declared[target] }
      return kitOf(trial, trial.live?.[at] ?? createLiveMemory(), parts)
    })
    try {
      const deliveries = asked.map((link, at) => link.begin(kits[at]!, start))
      await reached(own, 0)
      const late = own.now()
      if (late > lateMs) start.ms += late
      const delivered = deliveries.map((delivery, at) =>
        deliver(kits[at]!, delivery, late > lateMs ? late : 0)
      )
      turns?.begin()
      return await Promise.all(delivered)
    } finally {
      for (const link of asked) link.end()
      for (const { recorder } of kits) recorder.end()
    }
  }
  return {
    async open(targets, withinMs = Infinity) {
      close()
      const parts = { share, clock, timeline }
      const made = targets.map(async (target) => {
        const makeSockets = await makeSocketsFor(target)
        return createLink(await madeFor(target, transports), target, { ...parts, makeSockets })
      })
      links = await Promise.all(made)
      declared = targets.map(({ metrics }) => metrics)
      const there = new AbortController()
      const opened = Promise.all(links.map((link) => link.open())).finally(() => there.abort())
      if (withinMs === Infinity) return void (await opened)
      await Promise.race([opened, clock.until(clock.now() + withinMs, there.signal)])
    },
    trial: async (target, trial) => (await carryOut([target], trial))[0]!,
    inTurns: carryOut,
    close
  }
}
