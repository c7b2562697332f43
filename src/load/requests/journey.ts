import { type Random, random } from '../../random.ts'
import type { Timeline } from '../arrivals/timeline.ts'
import type { Sample } from '../figures/sample.ts'
import { countChecks, type Iterations, type IterationsOptions } from './iterations.ts'
import { prepare, type Request } from './request.ts'
import { type Response, responseOf } from './response.ts'

/** What an iteration of more than one request, or of a different one each time, works with. */
export type Session = {
  /** Number of the iteration, over all workers: 0, 1, 2 … */
  n: number
  /** Chance that depends on the seed and on `n`, and on nothing else. */
  random: Random
  /** Sends a request and resolves to what came of it; nothing a target does makes it reject. */
  send: (request: Request) => Promise<Response>
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

/** Sends requests and has each sample brought to the one who waits for it. */
function createPost({ transport, metrics, recorder }: IterationsOptions) {
  const waiting = new Map<number, (sample: Sample) => void>()
  let posted = 0
  return {
    send(
      request: Request,
      due: number,
      options: { keeps: boolean; onSample: (sample: Sample) => void }
    ) {
      const { keeps, onSample } = options
      const prepared = prepare(request, { route: metrics.routeNumber(request.route), keeps })
      const id = posted++
      waiting.set(id, onSample)
      recorder.begin()
      transport.send(prepared, due, id)
    },
    onSample(sample: Sample) {
      recorder.record(sample)
      const onOwn = waiting.get(sample.token)!
      waiting.delete(sample.token)
      onOwn(sample)
    }
  }
}

/** Iterations that are what a function makes of them. */
export function createJourneys(
  iteration: Iteration,
  options: IterationsOptions & { timeline: Timeline; seed: number }
): Iterations {
  const { transport, metrics, recorder, timeline, seed, checks, onEnd } = options
  const { now, after } = timeline
  const post = createPost(options)

  const createSession = (n: number, due: number): Session & { sends: () => number } => {
    let sends = 0
    return {
      n,
      random: random(seed, `iteration ${n}`),
      sends: () => sends,
      async send(request) {
        const dueNow = sends++ === 0 ? due : now()
        const response = Promise.withResolvers<Response>()
        post.send(request, dueNow, {
          keeps: true,
          onSample: (sample) => response.resolve(responseOf(sample))
        })
        transport.flush()
        return response.promise
      },
      check: metrics.recordCheck,
      record: (name, value) => recorder.measure(due, name, value),
      pause: (ms) => new Promise((resolve) => after(ms, resolve))
    }
  }
  const begin = (n: number, due: number, token: number) => {
    const session = createSession(n, due)
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
    return made.then(() => (session.sends() === 0 ? after(1, end) : end()))
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
