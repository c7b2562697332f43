import type { Metrics } from '../figures/metrics.ts'
import type { Recorder } from '../figures/recorder.ts'
import type { Sample } from '../figures/sample.ts'
import type { Transport } from '../transports/transport.ts'
import { prepare, type Request } from './request.ts'
import { type Response, responseOf } from './response.ts'

/** What a load does again and again, whatever that consists of. */
export type Iterations = {
  /**
   * Begins the n-th iteration, which should have begun at `due`; `token` comes back with its end.
   */
  begin(n: number, due: number, token: number): void
  /** Lets everything leave that was begun since the last time. */
  flush(): void
  /** Takes in how a request ended. */
  onSample(sample: Sample): void
}

/** What every response is to be held against, by the name under which that is counted. */
export type Checks = Record<string, (response: Response) => boolean>

/** What iterations are made with, and whom they tell. */
export type IterationsOptions = {
  transport: Pick<Transport, 'send' | 'flush'>
  metrics: Metrics
  recorder: Recorder
  checks?: Checks
  /** Told of every iteration that has ended, and when. */
  onEnd: (token: number, end: number) => void
}

/** Counts which checks a response passes; one that stumbles over the response does not hold. */
export function countChecks(checks: Checks, metrics: Metrics, response: Response): void {
  const passes = (holds: Checks[string]) => {
    try {
      return holds(response)
    } catch {
      return false
    }
  }
  for (const [name, holds] of Object.entries(checks)) metrics.recordCheck(name, passes(holds))
}

/** Iterations that each send one of the given requests, in turn. */
export function createInTurn(
  requests: readonly Request[],
  { transport, metrics, recorder, checks, onEnd }: IterationsOptions
): Iterations {
  const prepared = requests.map((request) =>
    prepare(request, { route: metrics.routeNumber(request.route), keeps: checks !== undefined })
  )
  return {
    begin(n, due, token) {
      recorder.begin(due)
      transport.send(prepared[n % prepared.length]!, due, token)
    },
    flush: transport.flush,
    onSample(sample) {
      recorder.record(sample)
      if (checks !== undefined) countChecks(checks, metrics, responseOf(sample))
      onEnd(sample.token, sample.end)
    }
  }
}
