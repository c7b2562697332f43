import { createMeter } from '../caps.ts'
import { clock } from '../clock.ts'
import { between, createLiveMemory, type Reading, readLive, type Window } from '../load/live.ts'
import { durationMs, type Load, peak } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import { type LoadResult, mergeShares } from '../load/result.ts'
import { idle, type ShareResult } from '../load/run.ts'
import { usefulWorkers } from '../load/share.ts'
import { toldBy } from '../load/told.ts'
import type { Engine } from '../load/transport.ts'
import type { Routes } from '../route.ts'
import type { Target } from '../target/target.ts'
import type { Objectives } from '../verdict/judge-load.ts'
import type { Unit } from './plan.ts'
import { createStop, type Stop } from './stop.ts'
import { createVigil } from './vigil.ts'
import type { Workforce } from './workforce.ts'

/** Where a worker gets its requests from: given ones, or a scenario that it imports itself. */
export type Source = { requests: Request[] } | { unit: Unit; target: Target }

/** One worker's part of a load, as plain data. */
export type ShareTask = {
  load: Load
  share: { index: number; count: number }
  source: Source
  engine: Engine
  seed: number
  startAt: number
  live: SharedArrayBuffer
  stop: SharedArrayBuffer
  verifyTls: boolean
  /** Where the requests' origins lead, and how much may be sent there. */
  routes: Routes
}

type DriveOptions = {
  load: Load
  source: Source
  engine: Engine
  pool: Workforce
  stop: Stop
  seed: number
  verifyTls?: boolean
  routes?: Routes
  /** Hears four times a second what happened since the last time. */
  onWindow?: (window: Window) => void
  /** Objectives to watch; the load ends once they cannot be met any more. */
  objectives?: Objectives
  /** Aborted once nothing is to be waited for any longer. */
  signal?: AbortSignal
}

const windowMs = 250

/** Tells `onReading` how a load goes on, until the function returned is called. */
function look(
  memories: SharedArrayBuffer[],
  startAt: number,
  onReading: (reading: Reading) => void
): () => void {
  const read = () => onReading(readLive(memories, Math.max(0, clock.now() - startAt)))
  const timer = setInterval(read, windowMs)
  read()
  return () => clearInterval(timer)
}

/** Why a load may not be sent under a target's caps; undefined when it may. */
export function overCap(load: Load, caps: Target['caps']): string | undefined {
  if (caps === undefined) return
  const { requestsPerSecond } = caps
  if (load.model === 'closed') {
    return `a closed load has no rate, and the authorisation caps it at ${requestsPerSecond}/s`
  }
  const highest = peak(load.phases)
  if (highest <= requestsPerSecond) return
  return `the load rises to ${highest}/s, but the authorisation caps it at ${requestsPerSecond}/s`
}

/** What a load came to, and which of its objectives it broke on the way. */
export type Driven = { result: LoadResult; broken: string[] }

/**
 * Puts together what there is of a load whose parts ended like this. A part that was lost spoils
 * the load, and not what the others measured, nor what it had told in its live memory; throws what
 * the first one threw when that is nothing.
 */
function gathered(
  load: Load,
  parts: readonly PromiseSettledResult<ShareResult>[],
  memories: readonly SharedArrayBuffer[]
): LoadResult {
  const shares = parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []))
  const lost = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as Error] : []))
  const told = toldBy(memories.filter((_, index) => parts[index]!.status === 'rejected'))
  if (shares.length === 0 && told === undefined) throw lost[0]
  const nothing = { ...idle(load), fromMs: 0, toMs: 0 }
  const reasons = lost.map(({ message }) => message)
  return { ...mergeShares(shares.length > 0 ? shares : [nothing], reasons), told }
}

/** Runs a load on all of the pool's threads at once and puts their results together. */
export async function drive(options: DriveOptions): Promise<Driven> {
  const { load, source, engine, pool, stop, seed, verifyTls = true, routes = {} } = options
  const { onWindow, objectives = {}, signal } = options
  const count = usefulWorkers(load, pool.workers)
  const memories = Array.from({ length: count }, () => createLiveMemory())
  // The load may end before the run does, and ends when the run is stopped.
  const own = createStop()
  await pool.ready()
  const startAt = clock.now() + pool.leadMs
  const tasks = memories.map((live, index): ShareTask => {
    const share = { index, count }
    const how = { load, share, source, engine, seed, startAt, verifyTls, routes }
    return { ...how, live, stop: own.buffer }
  })
  for (const { caps } of Object.values(routes)) if (caps) createMeter(caps).begin(startAt)
  const vigil = createVigil({ load, seed, objectives, onHopeless: own.request })
  let earlier: Reading | undefined
  const quiet = look(memories, startAt, (reading) => {
    if (stop.requested()) own.request()
    if (earlier) onWindow?.(between(earlier, reading))
    earlier = reading
    vigil.see(reading)
  })
  try {
    const limitMs = pool.leadMs + durationMs(load.phases) + load.timeoutMs
    const parts = await Promise.allSettled(tasks.map((task) => pool.share(task, limitMs, signal)))
    return { result: gathered(load, parts, memories), broken: vigil.broken() }
  } finally {
    quiet()
  }
}
