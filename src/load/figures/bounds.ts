import type { Window } from '../health/live-counters.ts'

/** What a load must keep to; latencies are response times, counted from when each was due. */
export type Bounds = {
  p50Ms?: number
  p90Ms?: number
  p95Ms?: number
  p99Ms?: number
  p999Ms?: number
  maxMs?: number
  /** Largest share of requests that may fail or time out. */
  errorRatio?: number
  /** Largest share of arrivals that may be dropped. */
  droppedRatio?: number
}

/** Share of responses that may take longer than each latency. */
const mayBeLate = {
  ...{ p50Ms: 0.5, p90Ms: 0.1, p95Ms: 0.05, p99Ms: 0.01, p999Ms: 0.001, maxMs: 0 }
} as const

/**
 * The longest that a response can take, in milliseconds: as long as a request is given, for a
 * connection that is free, and as long again for its answer.
 */
export const longestMs = ({ timeoutMs }: { timeoutMs: number }) => 2 * timeoutMs

/** The first latency among the bounds that no response can exceed; undefined of none. */
export function unbreakable(bounds: Bounds, load: { timeoutMs: number }) {
  const names = Object.keys(mayBeLate) as (keyof typeof mayBeLate)[]
  return names.find((name) => (bounds[name] ?? 0) > longestMs(load))
}

/**
 * Of how many requests and arrivals the bounds speak, where one arrival may ask for many requests;
 * Infinity where nobody knows.
 */
export type Whole = { requests: number; arrivals: number }

/**
 * Whether a count is more than a share of the whole; the last digits of a product are not trusted.
 */
export function exceeds(count: number, share: number, whole: number): boolean {
  const most = share === 0 ? 0 : share * whole
  return count > most + 1e-9
}

/** How it is said what of the bounds was broken. */
const words = {
  latency: 'responses took more than',
  errors: 'requests failed',
  dropped: 'arrivals were dropped'
} as const

/** What a bound is for. */
export type BoundKind = keyof typeof words

/** For what something was said to be broken. */
export function brokenKinds(said: string): BoundKind[] {
  const kinds = Object.keys(words) as BoundKind[]
  return kinds.filter((kind) => said.includes(words[kind]))
}

/** So many of all there are, in words. */
const ofAll = (count: number, whole: number) => `${count} of ${whole < Infinity ? whole : 'the'}`

function excess(window: Window, bounds: Bounds, { requests, arrivals }: Whole): string[] {
  const found: string[] = []
  for (const [name, share] of Object.entries(mayBeLate)) {
    const most = bounds[name as keyof typeof mayBeLate] ?? Infinity
    const late = window.countAboveUs(most * 1_000)
    if (exceeds(late, share, requests)) {
      found.push(`${ofAll(late, requests)} ${words.latency} ${most} ms (${name.slice(0, -2)})`)
    }
  }
  const { errorRatio = Infinity, droppedRatio = Infinity } = bounds
  const { failed, dropped } = window
  if (exceeds(failed, errorRatio, requests)) {
    found.push(`${ofAll(failed, requests)} ${words.errors}`)
  }
  if (exceeds(dropped, droppedRatio, arrivals)) {
    found.push(`${ofAll(dropped, arrivals)} ${words.dropped}`)
  }
  return found
}

/** What of the bounds a window breaks, in words; empty if it keeps to all of them. */
export function broken(window: Window, bounds: Bounds): string[] {
  const { measured, arrived } = window
  return excess(window, bounds, { requests: measured, arrivals: arrived })
}

/**
 * What of the bounds a load cannot keep to any more, in words: so much went wrong `soFar` that it
 * is too much even if all else of what is planned goes well; where nobody knows how many are to
 * come, only what may never happen ends hope. Empty while there is hope.
 */
export function hopeless(soFar: Window, bounds: Bounds, planned: Whole): string[] {
  return excess(soFar, bounds, planned)
}
