import type { Destination, LoadObserver } from '../../engine/load-worker.ts'
import { cellTopUs, type Reading } from '../../load/health/live-counters.ts'
import { methodOf } from '../../load/requests/request.ts'

/** Series kept apart at most; what comes beyond them is added up in one. */
export const mostSeries = 100

/** Statuses of one series kept apart at most, and the name of all beyond them. */
const mostStatuses = 20
const other = '_OTHER'

/**
 * Upper bounds of the histogram in seconds: those that OpenTelemetry advises, and three below, as a
 * service on the same machine answers within a millisecond.
 */
export const boundsSeconds: readonly number[] = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75],
  ...[1, 2.5, 5, 7.5, 10]
]

/** What tells series apart, by the names of OpenTelemetry. */
type Labels = Record<string, string | number | boolean>

/** What the loads on one place have come to so far; counts only grow. */
export type LoadSeries = {
  labels: Labels
  /** Response times in each bucket of `boundsSeconds`, the last without a bound. */
  buckets: number[]
  /** The sum of response times in seconds, known to within 2 %. */
  seconds: number
  failed: number
  dropped: number
  /** Answers by status, and requests without one by how they ended; known when a load is over. */
  results: Map<string, number>
  /** Loads that are over, by whether they can be trusted. */
  loads: { valid: number; invalid: number }
  /** What is under way of each load that goes on. */
  inFlight: Map<object, number>
}

/** Methods that have a name of their own in OpenTelemetry's conventions. */
const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT)$/

function labelsOf({ source }: Destination): Labels {
  const requests = 'requests' in source ? source.requests : []
  const urls =
    'requests' in source
      ? source.requests.map(({ url }) => url)
      : source.unit.needs.flatMap((name) => source.target.endpoints[name]?.url ?? [])
  const asked = [...new Set(requests.map(methodOf))]
  const method = asked.length === 1 && methods.test(asked[0]!) ? asked[0]! : other
  return {
    'http.request.method': method,
    ...serverOf(urls),
    ...('unit' in source && { 'plimsoll.scenario': source.unit.scenario })
  }
}

/** Whom these URLs ask, if that is one; what else they hold, a token say, is nobody's business. */
export function serverOf(urls: readonly string[]): Labels {
  const origins = [...new Set(urls.map((url) => new URL(url).origin))]
  if (origins.length !== 1) return { 'server.address': other }
  const { protocol, hostname, port } = new URL(origins[0]!)
  const usual = protocol === 'https:' ? 443 : 80
  const address = { 'server.address': hostname, 'server.port': Number(port) || usual }
  return { ...address, 'url.scheme': protocol.slice(0, -1) }
}

const emptySeries = (labels: Labels): LoadSeries => ({
  labels,
  buckets: Array(boundsSeconds.length + 1).fill(0),
  ...{ seconds: 0, failed: 0, dropped: 0 },
  results: new Map(),
  loads: { valid: 0, invalid: 0 },
  inFlight: new Map()
})

const bucketOf = (seconds: number) => {
  const index = boundsSeconds.findIndex((bound) => seconds <= bound)
  return index === -1 ? boundsSeconds.length : index
}

/** Adds what happened between two readings. */
function add(series: LoadSeries, earlier: Reading, later: Reading): void {
  const since = (of: 'failed' | 'dropped') => (later[of] - earlier[of]) >>> 0
  series.failed += since('failed')
  series.dropped += since('dropped')
  later.cells.forEach((count, cell) => {
    const more = (count - earlier.cells[cell]!) >>> 0
    if (more === 0) return
    const top = cellTopUs(cell) / 1e6
    series.buckets[bucketOf(top)]! += more
    series.seconds += more * top
  })
}

function addResults({ results }: LoadSeries, found: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(found)) {
    const isStatus = /^\d/.test(name)
    const statuses = [...results.keys()].filter((key) => /^\d/.test(key)).length
    const known = !isStatus || results.has(name) || statuses < mostStatuses
    const kept = known ? name : other
    results.set(kept, (results.get(kept) ?? 0) + count)
  }
}

/** What loads have come to, for whoever reads it now and then. */
export type LoadMeters = {
  observe(destination: Destination): ReturnType<LoadObserver['begin']>
  all(): readonly LoadSeries[]
}

/**
 * Adds up what loads come to, four times a second and when they are over, never for a request. Its
 * memory depends on how many places are asked, of which it keeps `mostSeries` apart.
 */
export function createLoadMeters(): LoadMeters {
  const kept = new Map<string, LoadSeries>()
  const seriesOf = (labels: Labels) => {
    const key = JSON.stringify(labels)
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= mostSeries - 1) {
      const rest = { 'otel.metric.overflow': true }
      const restKey = JSON.stringify(rest)
      if (!kept.has(restKey)) kept.set(restKey, emptySeries(rest))
      return kept.get(restKey)!
    }
    const series = emptySeries(labels)
    kept.set(key, series)
    return series
  }
  return {
    all: () => [...kept.values()],
    observe(destination) {
      const series = seriesOf(labelsOf(destination))
      const load = {}
      let earlier: Reading | undefined
      return {
        see(reading) {
          add(series, earlier ?? nothingOf(reading), reading)
          series.inFlight.set(load, (reading.begun - reading.finished) >>> 0)
          earlier = reading
        },
        end({ tally, health }) {
          series.inFlight.delete(load)
          series.loads[health.valid ? 'valid' : 'invalid']++
          addResults(series, tally.results)
        }
      }
    }
  }
}

/** A reading before anything was begun. */
function nothingOf({ cells }: Reading): Reading {
  const none = { begun: 0, finished: 0, measured: 0, failed: 0, dropped: 0, arrived: 0 }
  return { ...none, unanswered: 0, atMs: 0, cells: new Uint32Array(cells.length) }
}
