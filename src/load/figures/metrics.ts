import { sumCounts } from './counts.ts'
import { createHistogram, type Distribution, mergeDistributions } from './histogram.ts'
import { createOwnMetrics, mergeOwn, type OwnMetrics, type OwnTally } from './own-metrics.ts'
import { type Sample, wasSent } from './sample.ts'
import type { StreamMetric } from './stream-metrics.ts'

/** Routes kept apart at most; whatever comes beyond them counts under `otherRoutes`. */
export const maxRoutes = 100

/** Name of the route under which everything beyond `maxRoutes` is counted. */
export const otherRoutes = '(other)'

/** What the requests of one route add up to. */
export type RouteTally = {
  /** How many there were, by status (`200`) or, without a response, by ending (`timeout`). */
  results: Record<string, number>
  response: Distribution
  service: Distribution
}

/** What the samples of a load add up to, as plain data that can cross threads and be merged. */
export type Tally = RouteTally & {
  /** From the send to the first byte of the response. */
  firstByte: Distribution
  /** From asking for a connection to having it, the TLS handshake included. */
  connect: Distribution
  /** From the start to the end of an iteration, where iterations are more than one request. */
  iteration: Distribution
  /** How long requests took, from their due moments, that ended without a latency: all together. */
  failedUs: number
  /** Arrivals that were due and could not be sent. */
  dropped: number
  bytes: { sent: number; received: number }
  routes: Record<string, RouteTally>
  /** What responses were checked for: how often it held, and how often it did not. */
  checks: Record<string, { passed: number; failed: number }>
  /** What streams came to, and what a scenario recorded besides; absent where nothing is. */
  own?: Record<string, OwnTally>
}

/** Whether how long a request took is a latency; a timeout stands for one of at least that long. */
const hasLatency = ({ ending }: Sample) => ending === 'answered' || ending === 'timeout'

/** Adds samples up in memory that does not grow with their number. */
export type Metrics = {
  record(sample: Sample): void
  recordConnect(ms: number): void
  recordIteration(ms: number): void
  recordCheck(name: string, holds: boolean): void
  /** Throws a TypeError where there is no metric of that name, or it takes no such value. */
  recordOwn(name: string, value: number): void
  /** Takes one value of what streams are measured by. */
  recordStream(name: StreamMetric, value: number): void
  drop(arrivals: number): void
  /** The number of a route, to be given along with its samples; 0 is for requests of no route. */
  routeNumber(name: string | undefined): number
  tally(): Tally
}

type RouteMetrics = {
  record(sample: Sample): void
  tally(): RouteTally
}

function createRouteMetrics(): RouteMetrics {
  const response = createHistogram()
  const service = createHistogram()
  const statuses = new Float64Array(1_000)
  const unanswered: Record<string, number> = {}
  return {
    record(sample) {
      const { ending } = sample
      if (ending === 'answered') statuses[sample.status]!++
      else unanswered[ending] = (unanswered[ending] ?? 0) + 1
      if (!hasLatency(sample)) return
      response.record(sample.end - sample.due)
      if (wasSent(sample)) service.record(sample.end - sample.sent)
    },
    tally() {
      const results: Record<string, number> = { ...unanswered }
      statuses.forEach((count, status) => {
        if (count > 0) results[status] = count
      })
      return { results, response: response.distribution(), service: service.distribution() }
    }
  }
}

/** Metrics with nothing in them yet, and those that a scenario declares besides. */
export function createMetrics(declared: OwnMetrics = {}): Metrics {
  const own = createOwnMetrics(declared)
  const all = createRouteMetrics()
  const [firstByte, connect, iteration] = [createHistogram(), createHistogram(), createHistogram()]
  const numbers = new Map<string, number>()
  const routes: RouteMetrics[] = []
  const checks: Tally['checks'] = {}
  const bytes = { sent: 0, received: 0 }
  let dropped = 0
  let failedMs = 0
  return {
    record(sample) {
      all.record(sample)
      if (!hasLatency(sample)) failedMs += sample.end - sample.due
      if (sample.route > 0) routes[sample.route - 1]!.record(sample)
      if (sample.ending === 'answered') firstByte.record(sample.first - sample.sent)
      bytes.sent += sample.bytesSent
      bytes.received += sample.bytesReceived
    },
    recordConnect: connect.record,
    recordIteration: iteration.record,
    recordCheck(name, holds) {
      checks[name] ??= { passed: 0, failed: 0 }
      checks[name][holds ? 'passed' : 'failed']++
    },
    recordOwn: own.record,
    recordStream: own.recordStream,
    drop(arrivals) {
      dropped += arrivals
    },
    routeNumber(name) {
      if (name === undefined) return 0
      const kept = numbers.has(name) || routes.length < maxRoutes ? name : otherRoutes
      const known = numbers.get(kept)
      if (known !== undefined) return known
      numbers.set(kept, routes.push(createRouteMetrics()))
      return routes.length
    },
    tally: () => ({
      ...all.tally(),
      firstByte: firstByte.distribution(),
      connect: connect.distribution(),
      iteration: iteration.distribution(),
      failedUs: Math.round(failedMs * 1_000),
      dropped,
      bytes: { ...bytes },
      routes: Object.fromEntries([...numbers].map(([name, n]) => [name, routes[n - 1]!.tally()])),
      checks: structuredClone(checks),
      ...(!own.isEmpty() && { own: own.tally() })
    })
  }
}

function mergeRoutes(parts: readonly RouteTally[]): RouteTally {
  return {
    results: sumCounts(parts.map(({ results }) => results)),
    response: mergeDistributions(parts.map(({ response }) => response)),
    service: mergeDistributions(parts.map(({ service }) => service))
  }
}

/** The first names stay apart, as many as one worker would keep; the others are put together. */
function mergeRoutesByName(parts: readonly Tally['routes'][]): Tally['routes'] {
  const all = [...new Set(parts.flatMap(Object.keys))].filter((name) => name !== otherRoutes).sort()
  const kept = new Set(all.slice(0, maxRoutes))
  const merged: Record<string, RouteTally[]> = {}
  for (const [name, route] of parts.flatMap(Object.entries<RouteTally>)) {
    const under = kept.has(name) ? name : otherRoutes
    merged[under] ??= []
    merged[under].push(route)
  }
  return Object.fromEntries(
    Object.entries(merged).map(([name, routes]) => [name, mergeRoutes(routes)])
  )
}

function mergeChecks(parts: readonly Tally['checks'][]): Tally['checks'] {
  const names = new Set(parts.flatMap(Object.keys))
  const sum = (name: string, key: 'passed' | 'failed') =>
    parts.reduce((total, checks) => total + (checks[name]?.[key] ?? 0), 0)
  return Object.fromEntries(
    [...names].map((name) => [name, { passed: sum(name, 'passed'), failed: sum(name, 'failed') }])
  )
}

/** The sum of what several workers, or several runs, tallied; their order does not matter. */
export function mergeTallies(parts: readonly Tally[]): Tally {
  const own = parts.flatMap((part) => (part.own === undefined ? [] : [part.own]))
  return {
    ...mergeRoutes(parts),
    firstByte: mergeDistributions(parts.map(({ firstByte }) => firstByte)),
    connect: mergeDistributions(parts.map(({ connect }) => connect)),
    iteration: mergeDistributions(parts.map(({ iteration }) => iteration)),
    failedUs: parts.reduce((sum, part) => sum + part.failedUs, 0),
    dropped: parts.reduce((sum, part) => sum + part.dropped, 0),
    bytes: {
      sent: parts.reduce((sum, { bytes }) => sum + bytes.sent, 0),
      received: parts.reduce((sum, { bytes }) => sum + bytes.received, 0)
    },
    routes: mergeRoutesByName(parts.map(({ routes }) => routes)),
    checks: mergeChecks(parts.map(({ checks }) => checks)),
    ...(own.length > 0 && { own: mergeOwn(own) })
  }
}

/** How many requests a tally counts, however they ended. */
export function requestsIn({ results }: Pick<Tally, 'results'>): number {
  return Object.values(results).reduce((sum, count) => sum + count, 0)
}
