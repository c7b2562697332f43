import { type Random, random } from '../../random.ts'
import type { Timeline } from '../arrivals/timeline.ts'
import { createFollower, type EventsResponse } from '../events/follow.ts'
import type { EventsOptions } from '../events/hearing.ts'
import type { Sample } from '../figures/sample.ts'
import { createCaller, type RpcAnswer, type RpcRequest } from '../grpc/call.ts'
import { unreadMethod } from '../grpc/method.ts'
import type { SocketSession } from '../websocket/socket-session.ts'
import type { SocketOptions, Sockets } from '../websocket/sockets.ts'
import { countChecks, type Iterations, type IterationsOptions } from './iterations.ts'
import { createPost, type Post } from './post.ts'
import { isSocket, type Request } from './request.ts'
import { type Response, responseOf } from './response.ts'

/** What an iteration of more than one request, or of a different one each time, works with. */
export type Session = {
  /** Number of the iteration, over all workers: 0, 1, 2 … */
  n: number
  /** Chance that depends on the seed and on `n`, and on nothing else. */
  random: Random
  /** Sends a request and resolves to what came of it; nothing a target does makes it reject. */
  send: (request: Request) => Promise<Response>
  /**
   * Sends a request and listens to the event stream (`text/event-stream`) that answers it, as long
   * as it takes; nothing a target does makes it reject.
   */
  events: (request: Request, options?: EventsOptions) => Promise<EventsResponse>
  /**
   * Opens a WebSocket; nothing a target does makes it reject. It is closed when the iteration ends.
   */
  socket: (request: Request, options?: SocketOptions) => Promise<SocketSession>
  /** Calls a method of gRPC; nothing a target does makes it reject. */
  rpc: (request: RpcRequest) => Promise<RpcAnswer>
  /** Counts whether something held, under a name; a check that fails is no failed request. */
  check: (name: string, holds: boolean) => void
  /** Records a value of a metric that the scenario declares, in its unit; throws for any other. */
  record: (name: string, value: number) => void
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
}

/** One iteration: returns the one request it consists of, or sends requests by itself. */
export type Iteration = (session: Session) => Request | Promise<unknown>

/**
 * An iteration whose own code threw is over after this long, so that it does not go round and
 * round.
 */
const faultMs = 10

/** Whether a request takes an iteration that knows how to listen to its answer. */
export const isStream = ({ events, grpc }: Request) => events !== undefined || grpc !== undefined

/** An iteration that sends one of the requests, in turn, and listens as each asks for. */
export function streamsInTurn(
  requests: readonly Request[],
  { checks, metrics }: Pick<IterationsOptions, 'checks' | 'metrics'>
): Iteration {
  // Nothing changes them, so that each is made ready once.
  const lasting = requests.map((one) =>
    Object.freeze(one.grpc === undefined ? { ...one } : { ...one, rpc: unreadMethod(one) })
  )
  return ({ n, events, rpc }) => {
    const request = lasting[n % lasting.length]!
    if ('rpc' in request) return rpc(request)
    if (request.events === undefined) return request
    return events(request).then((response) => {
      if (checks !== undefined) countChecks(checks, metrics, response)
    })
  }
}

/** Sends a request at once, and waits for what comes of it. */
function answered(post: Post, request: Request, due: number): Promise<Response> {
  const response = Promise.withResolvers<Response>()
  post.send(request, due, {
    keeps: true,
    onSample: (sample) => response.resolve(responseOf(sample))
  })
  post.flush()
  return response.promise
}

/** Iterations that are what a function makes of them. */
export function createJourneys(
  iteration: Iteration,
  options: IterationsOptions & {
    timeline: Timeline
    seed: number
    timeoutMs: number
    sockets: Sockets | undefined
  }
): Iterations {
  const { transport, metrics, recorder, timeline, seed, checks, onEnd, sockets } = options
  const { now, after } = timeline
  const post = createPost(options)
  const follow = createFollower({ post, timeline, recorder, timeoutMs: options.timeoutMs })
  const call = createCaller({ post, timeline, recorder })

  const createSession = (n: number, due: number) => {
    const opened: SocketSession[] = []
    let sends = 0
    const nextDue = () => (sends++ === 0 ? due : now())
    const session: Session = {
      n,
      random: random(seed, `iteration ${n}`),
      async send(request) {
        if (isSocket(request)) throw new TypeError('send: a WebSocket is opened by socket(…)')
        return answered(post, request, nextDue())
      },
      events: (request, asked = {}) => follow(request, nextDue(), asked),
      rpc: (request) => call(request, nextDue()),
      async socket(request, asked = {}) {
        const one = await sockets!.open(request, nextDue, asked)
        opened.push(one)
        return one
      },
      check: metrics.recordCheck,
      record: (name, value) => recorder.measure(due, name, value),
      pause: (ms) => new Promise((resolve) => after(ms, resolve))
    }
    const close = () => {
      for (const one of opened) void one.close()
    }
    return { session, close, hasSent: () => sends > 0 }
  }
  const begin = (n: number, due: number, token: number) => {
    const { session, close, hasSent } = createSession(n, due)
    const made = iteration(session)
    if (!(made instanceof Promise)) {
      const onSample = (sample: Sample) => {
        if (checks !== undefined) countChecks(checks, metrics, responseOf(sample))
        onEnd(token, sample.end)
      }
      return post.send(made, due, { keeps: checks !== undefined, onSample })
    }
    const end = () => {
      recorder.iterate(due, now())
      onEnd(token, now())
    }
    // One that asked nothing leaves the event loop time for others.
    return made.then(() => (hasSent() ? end() : after(1, end))).finally(close)
  }
  return {
    async begin(n, due, token) {
      try {
        await begin(n, due, token)
      } catch (cause) {
        recorder.fault(cause, due)
        after(faultMs, () => onEnd(token, now()))
      }
    },
    flush: transport.flush,
    onSample: post.onSample
  }
}
