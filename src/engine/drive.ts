import type { Target } from '../client/target.ts'
import { clock } from '../clock.ts'
import { between, createLiveMemory, type Reading, readLive, type Window } from '../load/live.ts'
import { durationMs, type Load, peak } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import { type LoadResult, mergeShares } from '../load/result.ts'
import { usefulWorkers } from '../load/share.ts'
import type { Engine } from '../load/transport.ts'
import type { Unit } from './plan.ts'
import type { Pool } from './pool.ts'
import type { Stop } from './stop.ts'

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
}

type DriveOptions = {
  load: Load
  source: Source
  engine: Engine
  pool: Pool
  stop: Stop
  seed: number
  verifyTls?: boolean
  /** Hears four times a second what happened since the last time. */
  onWindow?: (window: Window) => void
}

/** Time for the workers to import the scenario and connect. */
const leadMs = 500
const windowMs = 250

/** Tells `onWindow` how a load goes on, until the function returned is called. */
function look(memories: SharedArrayBuffer[], onWindow: (window: Window) => void): () => void {
  const began = clock.now()
  let earlier: Reading = readLive(memories, 0)
  const timer = setInterval(() => {
    const later = readLive(memories, clock.now() - began)
    onWindow(between(earlier, later))
    earlier = later
  }, windowMs)
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

/** Runs a load on all of the pool's threads at once and puts their results together. */
export async function drive(options: DriveOptions): Promise<LoadResult> {
  const { load, source, engine, pool, stop, seed, verifyTls = true, onWindow } = options
  const count = usefulWorkers(load, pool.workers)
  const memories = Array.from({ length: count }, () => createLiveMemory())
  await pool.ready()
  const startAt = clock.now() + leadMs
  const tasks = memories.map((live, index): ShareTask => {
    const share = { index, count }
    return { load, share, source, engine, seed, startAt, live, stop: stop.buffer, verifyTls }
  })
  const quiet = onWindow ? look(memories, onWindow) : () => {}
  try {
    const limitMs = leadMs + durationMs(load.phases) + load.timeoutMs
    return mergeShares(await Promise.all(tasks.map((task) => pool.share(task, limitMs))))
  } finally {
    quiet()
  }
}
