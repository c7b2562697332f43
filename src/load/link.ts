import type { Clock } from '../clock.ts'
import { type Routes, routeTo } from '../route.ts'
import type { Executor } from './arrivals/executor.ts'
import { createExecutor } from './arrivals/models.ts'
import type { Timeline } from './arrivals/timeline.ts'
import type { Turn } from './arrivals/turns.ts'
import type { Metrics } from './figures/metrics.ts'
import type { OwnMetrics } from './figures/own-metrics.ts'
import type { Recorder } from './figures/recorder.ts'
import type { Sample } from './figures/sample.ts'
import { socketCounts } from './figures/stream-metrics.ts'
import type { Load } from './load.ts'
import { type Checks, createInTurn } from './requests/iterations.ts'
import { createJourneys, type Iteration, isStream, streamsInTurn } from './requests/journey.ts'
import { isSocket, originOf, type Request, sharesOf } from './requests/request.ts'
import type { Tracer } from './requests/tracer.ts'
import { portion, type Share } from './share.ts'
import { createOrigins } from './transports/origins.ts'
import {
  type Connections,
  connectionsSince,
  type MakeTransport,
  mergeConnections,
  noConnections,
  type Transport,
  type TransportName,
  type TransportOptions
} from './transports/transport.ts'
import type { MakeSockets, Sockets } from './websocket/sockets.ts'

/** Whom a sender asks, what, and over which connections. */
export type SendTarget = {
  /** What is asked: these requests in turn, or what a function makes of each iteration. */
  request: Request | readonly Request[] | Iteration
  /** What the response to each single request is held against; failures are counted, no more. */
  checks?: Checks
  /** What iterations record besides. */
  metrics?: OwnMetrics
} & Connecting

/** How a sender connects to a target: plain data, the same for all who share a load. */
export type Connecting = {
  transport: TransportName
  /** Connections over all parts of the sender, requests in flight on each, and their patience. */
  connections: number
  pipelining: number
  timeoutMs: number
  /** False sends to targets whose certificate cannot be verified. Default: true. */
  verifyTls?: boolean
  /** Where origins lead; beyond loopback nothing is sent to one that is not here. */
  routes?: Routes
}

/** What one part of a load works with. */
export type Kit = {
  /** The load that all parts add up to, and this part of it. */
  load: Load
  part: Load
  share: Share
  seed: number
  stopped: () => boolean
  /** The trial's own time: 0 is its beginning. */
  timeline: Timeline
  metrics: Metrics
  recorder: Recorder
  /** Has some of the requests carry a trace's context. */
  tracer?: Tracer | undefined
  /** When its iterations may begin, where the load takes turns with another. */
  turn?: Turn | undefined
}

/** One part of a load on its way. */
export type Delivery = {
  /** Carries it out; resolves when it is over, with how many iterations are unfinished. */
  run(): Promise<number>
  /** How many iterations have begun, and how many of them have not ended. */
  begun(): number
  inFlight(): number
  /** What became of connections since the last one, or since they were first made. */
  connections(): Connections
}

/** One part's connections to one target. */
export type Link = {
  /** Makes the connections. */
  open(): Promise<void>
  /** Makes ready for a trial that begins at that moment of the time all of them have. */
  begin(kit: Kit, start: { readonly ms: number }): Delivery
  /** From now on nobody hears of what is unfinished. */
  end(): void
  close(): void
}

/** What a link is made with besides its target. */
export type LinkParts = {
  share: Share
  clock: Clock
  timeline: Timeline
  /** Makes what opens WebSockets; there only for iterations, which may want some. */
  makeSockets?: MakeSockets
}

/** How a transport is made, or what makes connections of its own that nothing else can use. */
export type Made =
  | { make: MakeTransport }
  | { link: (target: SendTarget, parts: LinkParts) => Link }

/** Makes a sample's times those of a trial that began at `startMs`. */
function shift(sample: Sample, startMs: number): Sample {
  sample.due -= startMs
  sample.sent -= startMs
  sample.first -= startMs
  sample.end -= startMs
  return sample
}

/** Whom a transport tells of samples and of new connections; it changes with every trial. */
type Ear = Required<Pick<TransportOptions, 'onSample' | 'onConnect' | 'onStream'>>

function transportTo(
  make: MakeTransport,
  target: SendTarget,
  { share, clock, timeline, ear }: LinkParts & { ear: Ear }
): Transport {
  const { connections, pipelining, timeoutMs, verifyTls = true, routes, request } = target
  const to = (one: Request) => {
    const origin = originOf(one)
    return make({
      ...{ origin, route: routeTo(origin, routes), clock, now: timeline.now, request: one },
      ...{ connections: portion(connections, share), pipelining, timeoutMs, verifyTls },
      onSample: (sample) => ear.onSample(sample),
      onConnect: (ms) => ear.onConnect(ms),
      onStream: (name, value, due) => ear.onStream(name, value, due)
    })
  }
  const requests = typeof request === 'function' ? [] : [request].flat()
  const known = [...new Map(requests.map((one) => [sharesOf(one), one])).values()]
  return known.length === 1 ? to(known[0]!) : createOrigins(to, known)
}

/** The iterations of a trial, over a transport whose time has gone on from trial to trial. */
function iterationsOf(
  { request, checks, timeoutMs }: SendTarget,
  kit: Kit,
  parts: {
    transport: Transport
    start: { readonly ms: number }
    onEnd: Executor['finished']
    sockets: Sockets | undefined
  }
) {
  const { transport, start, onEnd, sockets } = parts
  const plain: Pick<Transport, 'send' | 'flush'> = {
    send: (prepared, due, token) => transport.send(prepared, start.ms + due, token),
    flush: transport.flush
  }
  const own = kit.tracer?.through(plain) ?? plain
  const all = { ...kit, transport: own, checks, onEnd, sockets, timeoutMs }
  if (typeof request === 'function') return createJourneys(request, all)
  const requests = [request].flat()
  return requests.some(isStream)
    ? createJourneys(streamsInTurn(requests, all), all)
    : createInTurn(requests, all)
}

const isOfSockets = ({ request }: SendTarget) =>
  typeof request !== 'function' && [request].flat().some(isSocket)

/** A link over a transport, whose connections outlast each trial. */
function createTransportLink(make: MakeTransport, target: SendTarget, parts: LinkParts): Link {
  const connects: number[] = []
  let opened = 0
  const deaf: Ear = {
    onSample() {},
    onConnect: (ms) => void connects.push(ms),
    onStream(name, value) {
      if (name === 'sockets') opened += value
    }
  }
  const ear: Ear = { ...deaf }
  const transport = transportTo(make, target, { ...parts, ear })
  let told = noConnections()
  let sockets: Sockets | undefined
  return {
    open: transport.open,
    begin(kit, start) {
      const { routes, verifyTls = true, timeoutMs } = target
      const { clock, makeSockets } = parts
      const own = makeSockets?.({ ...kit, routes, verifyTls, timeoutMs, clock })
      sockets = own
      const { begun, inFlight, run, finished } = createExecutor(kit)
      const iterations = iterationsOf(target, kit, {
        transport,
        start,
        onEnd: finished,
        sockets: own
      })
      for (const ms of connects.splice(0)) kit.metrics.recordConnect(ms)
      ear.onConnect = kit.metrics.recordConnect
      if (isOfSockets(target)) {
        // What happened before is of this trial, and what is counted and never happened is 0.
        for (const name of socketCounts)
          kit.metrics.recordStream(name, name === 'sockets' ? opened : 0)
        opened = 0
      }
      ear.onStream = (name, value, due = parts.timeline.now()) =>
        kit.recorder.stream(due - start.ms, name, value)
      // What an earlier trial left unfinished is none of this one's.
      ear.onSample = (sample) => {
        if (sample.due >= start.ms) iterations.onSample(shift(sample, start.ms))
      }
      return {
        ...{ begun, inFlight, run: () => run(iterations) },
        connections() {
          const [before, now] = [told, transport.connections()]
          told = now
          const since = mergeConnections([
            connectionsSince(before, now),
            own?.connections() ?? noConnections(),
            { ...noConnections(), ends: kit.recorder.ends() }
          ])
          return { ...since, transport: since.transport || target.transport }
        }
      }
    },
    // A late answer to what was left unfinished finds nobody, rather than what is destroyed by now.
    end() {
      Object.assign(ear, deaf)
      sockets?.close()
    },
    close: transport.close
  }
}

/** A link to a target by what was made of its transport's name; nothing is connected yet. */
export function createLink(made: Made, target: SendTarget, parts: LinkParts): Link {
  return 'link' in made ? made.link(target, parts) : createTransportLink(made.make, target, parts)
}
