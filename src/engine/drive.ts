import type { Target } from '../client/target.ts'
import { clock } from '../clock.ts'
import { between, createLiveMemory, type Reading, readLive, type Window } from '../load/live.ts'
import { durationMs, type Load, peak } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import { type LoadResult, mergeShares } from '../load/result.ts'
import { usefulWorkers } from '../load/share.ts'
import type { Engine } from '../load/transport.ts'
import type { Objectives } from '../verdict/judge-load.ts'
import type { Unit } from './plan.ts'
import type { Pool } from './pool.ts'
import { createStop, type Stop } from './stop.ts'
import { createVigil } from './vigil.ts'

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
  /** Objectives to watch; the load ends once they cannot be met any more. */
  objectives?: Objectives
}

/** Time for the workers to import the scenario and connect. */
const leadMs = 500
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

/** Runs a load on all of the pool's threads at once and puts their results together. */
export async function drive(options: DriveOptions): Promise<Driven> {
  const { load, source, engine, pool, stop, seed, verifyTls = true } = options
  const { onWindow, objectives = {} } = options
  const count = usefulWorkers(load, pool.workers)
  const memories = Array.from({ length: count }, () => createLiveMemory())
  // The load may end before the run does, and ends when the run is stopped.
  const own = createStop()
  await pool.ready()
  const startAt = clock.now() + leadMs
  const tasks = memories.map((live, index): ShareTask => {
    const share = { index, count }
    return { load, share, source, engine, seed, startAt, live, stop: own.buffer, verifyTls }
  })
  const vigil = createVigil({ load, seed, objectives, onHopeless: own.request })
  let earlier: Reading | undefined
  const quiet = look(memories, startAt, (reading) => {
    if (stop.requested()) own.request()
    if (earlier) onWindow?.(between(earlier, reading))
    earlier = reading
    vigil.see(reading)
  })
  try {
    const limitMs = leadMs + durationMs(load.phases) + load.timeoutMs
    const shares = await Promise.all(tasks.map((task) => pool.share(task, limitMs)))
    return { result: mergeShares(shares), broken: vigil.broken() }
  } finally {
    quiet()
  }
}
