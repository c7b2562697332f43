import { Client, type Dispatcher } from 'undici'
import { createSample, type Ending, type Sample, wasSent } from '../figures/sample.ts'
import { maxKeptBytes } from '../http1/body.ts'
import type { BodySink } from '../requests/body-sink.ts'
import { headerLines, methodOf, type Prepared } from '../requests/request.ts'
import { createBackoff } from './backoff.ts'
import { type Connector, createConnector } from './connector.ts'
import { createDispatch } from './dispatch.ts'
import type { Carrier } from './free-slots.ts'
import { noConnections, type Transport, type TransportOptions } from './transport.ts'

/** An undici client keeps one connection, and makes it again when it needs it. */
type Lane = Carrier & { client: Client; failures: number }

/** A request that was handed to undici. */
type Going = {
  lane: Lane
  prepared: Prepared
  due: number
  token: number
  controller: Dispatcher.DispatchController | undefined
  /** How it ends, where that is known before undici ends it. */
  decided: Ending | undefined
  sent: number
  first: number
  status: number
  received: number
  headers: string[]
  body: Buffer[]
  kept: number
}

const known = new WeakMap<Prepared, Dispatcher.DispatchOptions>()

/** How undici wants a request; worked out once for each. */
function dispatchOptions(prepared: Prepared): Dispatcher.DispatchOptions {
  const found = known.get(prepared)
  if (found !== undefined) return found
  const { request } = prepared
  const { pathname, search } = new URL(request.url)
  const made = {
    path: `${pathname}${search}`,
    method: methodOf(request),
    headers: headerLines(request).flat(),
    body: request.body ?? null
  }
  known.set(prepared, made)
  return made
}

/** Hands a request to undici; `onEnd` is told, once, when it is over. */
function start(
  going: Going,
  {
    now,
    endingOf,
    onEnd
  }: Pick<Connector, 'endingOf'> & {
    now: () => number
    onEnd: (ending: Ending) => void
  }
): void {
  const { keeps, sink } = going.prepared
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      going.controller = controller
      going.sent = now()
    },
    onResponseStart(_controller, status, headers) {
      going.first = now()
      going.status = status
      for (const [name, values] of Object.entries(headers)) {
        for (const value of [values ?? []].flat()) {
          going.received += name.length + value.length + 4
          if (keeps) going.headers.push(name, value)
        }
      }
    },
    onResponseData(_controller, chunk) {
      going.received += chunk.length
      if (sink !== undefined) return pour(going, sink, chunk)
      if (!keeps || going.kept >= maxKeptBytes) return
      going.body.push(chunk)
      going.kept += chunk.length
    },
    onResponseEnd: () => onEnd('answered'),
    onResponseError: (_controller, error) => onEnd(going.decided ?? endingOf(error))
  }
  going.lane.client.dispatch(dispatchOptions(going.prepared), handler)
}

/** Gives up a request whose end is this. */
function decide(going: Going, ending: Ending, why: string): void {
  going.decided = ending
  going.controller?.abort(new Error(why))
}

/** Hands on a part of the body, until somebody has enough of it, or cannot take it. */
function pour(going: Going, sink: BodySink, part: Buffer): void {
  if (going.decided !== undefined) return
  const taken = sink.take(part, going)
  if (taken === 'more') return
  decide(going, taken === 'enough' ? 'answered' : taken, 'no more of it is wanted')
}

/** Makes a sample of what became of a request. */
function fill(sample: Sample, going: Going, ending: Ending, end: number): Sample {
  const { prepared, due, token, sent, first, received, headers, body } = going
  const isAnswered = ending === 'answered'
  return Object.assign(sample, {
    ending,
    status: isAnswered ? going.status : 0,
    token,
    route: prepared.route,
    due,
    sent,
    first,
    end,
    bytesSent: wasSent(going) ? prepared.bytes.length : 0,
    bytesReceived: received,
    headers: prepared.keeps ? headers : undefined,
    body: prepared.keeps ? body : undefined
  })
}

function begin(lane: Lane, prepared: Prepared, due: number, token: number): Going {
  const reply = { status: 0, received: 0, headers: [], body: [], kept: 0 }
  const times = { due, sent: Number.NaN, first: Number.NaN }
  return { lane, prepared, token, controller: undefined, decided: undefined, ...times, ...reply }
}

function createLane(options: TransportOptions, connector: Connector): Lane {
  const { origin, pipelining } = options
  const client = new Client(origin, {
    pipelining,
    connect: connector.connect,
    allowH2: true,
    h2Options: { maxConcurrentStreams: pipelining },
    // A connection stays as long as the target lets it, and timeouts are kept for whole requests.
    keepAliveTimeout: 3_600_000,
    keepAliveMaxTimeout: 3_600_000,
    headersTimeout: 0,
    bodyTimeout: 0
  })
  return { client, state: 'up', offered: 0, isDirty: false, failures: 0 }
}

/**
 * Gives up requests that were sent at that moment or earlier, and those whose body is not listened
 * to any longer; those not yet sent have no moment.
 */
function expire(inFlight: Iterable<Going>, sentBy: number): void {
  for (const going of inFlight) {
    if (going.status > 0 && going.prepared.sink?.isOver())
      decide(going, 'answered', 'it was listened to for long enough')
    else if (going.sent <= sentBy) decide(going, 'timeout', 'no response in time')
  }
}

/** Sends by undici: HTTP/2 where the target offers it over TLS, HTTP/1.1 otherwise. */
export function createUndici(options: TransportOptions): Transport {
  const { now, onSample, timeoutMs } = options
  const sample = createSample()
  const counts = noConnections()
  const connector = createConnector(options, counts)
  const lanes = Array.from({ length: options.connections }, () => createLane(options, connector))
  const inFlight = new Set<Going>()
  const backoff = createBackoff()
  let lastEnding: Ending = 'timeout'
  const dispatch = createDispatch<Lane>({
    ...options,
    sample,
    add(lane, prepared, due, token) {
      const going = begin(lane, prepared, due, token)
      inFlight.add(going)
      const { endingOf } = connector
      start(going, { now, endingOf, onEnd: (ending) => finish(going, ending) })
    },
    flush() {}
  })
  const finish = (going: Going, ending: Ending) => {
    const { lane } = going
    if (!inFlight.delete(going)) return
    lastEnding = ending
    lane.failures = ending === 'answered' ? 0 : lane.failures + 1
    backoff.retry(lane.failures, () => {
      dispatch.offer(lane)
      dispatch.flush(now())
    })
    onSample(fill(sample, going, ending, now()))
    dispatch.flush(now())
  }
  const sweep = setInterval(() => {
    expire(inFlight, now() - timeoutMs)
    // Without any client that got through, what last became of one is why this request did not.
    const ending = lanes.every(({ failures }) => failures > 0) ? lastEnding : 'timeout'
    dispatch.giveUp(ending, { dueBy: now() - timeoutMs, most: Infinity })
  }, 50)
  return {
    async open() {
      await Promise.all(lanes.map(connector.prepare))
      lanes.forEach(dispatch.offerAll)
      dispatch.flush(now())
    },
    send: dispatch.send,
    flush: () => dispatch.flush(now()),
    connections: () => structuredClone(counts),
    close() {
      clearInterval(sweep)
      dispatch.close()
      backoff.close()
      connector.close()
      // What is still under way ends with its client, and later than anybody listens.
      inFlight.clear()
      for (const { client } of lanes) void client.destroy()
    }
  }
}
