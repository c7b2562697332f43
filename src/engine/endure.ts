import { clock } from '../clock.ts'
import type { Load } from '../load/load.ts'
import { originOf, type Request } from '../load/request.ts'
import { summary } from '../load/summary.ts'
import { type Routes, routeTo } from '../route.ts'
import { routesOf, type Target, verifiesTls } from '../target/target.ts'
import { judgeDrift } from '../verdict/judge-drift.ts'
import { createStretches } from '../verdict/stretch.ts'
import type { Evidence } from '../verdict/verdict.ts'
import { type CapacityOutcome, searchCapacity } from './capacity-search.ts'
import { type Crew, createCrew } from './crew.ts'
import { createDeadline, type Deadline, stopAt } from './deadline.ts'
import { overCap } from './drive.ts'
import type { Unit } from './plan.ts'
import type { Pool } from './pool.ts'
import type { RigOptions } from './rig.ts'
import { beginningSeconds, soak, stretchSeconds } from './soak.ts'
import { createStop, type Stop, unlessStopped } from './stop.ts'

/** One number that a unit measured. */
export type Measured = { name: string; value: number; unit: string }

/** What a long load brought home, or why there was none. */
export type Endured = { evidence: Evidence; metrics: Measured[] } | { absent: string }

/** `signal` is aborted once nothing is to be waited for any longer. */
type Parts = { target: Target; pool: Pool; stop: Stop; seed: number; signal: AbortSignal }
/** What a unit's load threads send, and whether to whoever is there. */
type Made = { requests: Request[]; verifyTls: boolean; routes: Routes }
type Shape = Pick<RigOptions, 'connections' | 'pipelining' | 'timeoutMs' | 'engine' | 'verifyTls'>

/** Requests that can share connections; throws an Error that says what to do when they cannot. */
function ofOneOrigin(requests: readonly Request[]): readonly Request[] {
  const origins = new Set(requests.map(originOf))
  if (origins.size === 1) return requests
  throw new Error(`its requests go to ${origins.size} origins, and have to go to one`)
}

/**
 * Opens connections for a unit's requests, lets `work` use them, and closes them. The stop that it
 * is given is the run's, and comes by itself when the unit's time is up.
 */
async function withCrew<Result>(
  { requests, routes, workers, shape }: Omit<Made, 'verifyTls'> & { workers: number; shape: Shape },
  { stop, deadline }: { stop: Stop; deadline: Deadline },
  work: (crew: Crew, own: Stop) => Promise<Result>
): Promise<Result> {
  const route = routeTo(originOf(ofOneOrigin(requests)[0]!), routes)
  const rig = { ...shape, requests, route }
  const own = createStop()
  const follow = () => own.request()
  if (stop.requested()) follow()
  stop.signal.addEventListener('abort', follow)
  const letGo = stopAt(deadline, own)
  const crew = createCrew({ workers, targets: [rig], stop: own })
  try {
    await crew.open(0)
    return await work(crew, own)
  } finally {
    letGo()
    stop.signal.removeEventListener('abort', follow)
    await crew.close()
  }
}

function found(outcome: CapacityOutcome, asked: NonNullable<Unit['capacity']>): Endured {
  if (outcome.ended !== 'searched') return { absent: `${outcome.ended}: ${outcome.because}` }
  const { capacity } = outcome
  const { lower, upper, confirmed } = capacity
  const metrics = Object.entries({ lower, upper, confirmed }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, unit: '1/s' }]
  )
  return { evidence: { kind: 'capacity', demand: asked.demand, found: capacity }, metrics }
}

async function search(
  { requests, verifyTls, routes }: Made,
  asked: NonNullable<Unit['capacity']>,
  { target, pool, stop, seed }: Parts
): Promise<Endured> {
  const { demand, ceiling, seconds, connections, engine } = asked
  const cap = target.caps?.requestsPerSecond ?? Infinity
  if (cap < demand.perSecond) return { absent: `the authorisation caps the load at ${cap}/s` }
  const shape = { connections, pipelining: 1, timeoutMs: 10_000 }
  const deadline = createDeadline(seconds, { clock })
  const outcome = await withCrew(
    { requests, routes, workers: pool.workers, shape: { ...shape, engine, verifyTls } },
    { stop, deadline },
    (crew, own) =>
      searchCapacity({
        ...{ shape, deadline, seed, clock, start: demand.perSecond },
        trial: (load) => crew.trial(0, { load, seed }),
        objective: { p99Us: demand.p99Ms * 1_000, errorRatio: demand.errorRatio },
        highest: Math.min(cap, demand.perSecond * ceiling),
        stopped: own.requested,
        onTrial() {}
      })
  )
  return found(outcome, asked)
}

/** The same load for another stretch of time. */
const lasting = (load: Load) => (seconds: number) => ({
  ...load,
  phases: load.phases.map((phase) => ({ ...phase, seconds }))
})

async function soaked(
  { requests, verifyTls, routes }: Made,
  { unit, asked }: { unit: Unit; asked: NonNullable<Unit['soak']> },
  { target, pool, stop, seed, signal }: Parts
): Promise<Endured> {
  const { load, budgets, engine, tells } = asked
  const refused = overCap(load, target.caps)
  if (refused) return { absent: refused }
  const [{ seconds }] = load.phases as [Load['phases'][number]]
  const task = { unit, target, seed }
  const figures = async () =>
    tells === 'figures' ? { values: await pool.figures(task, signal) } : undefined
  const stretches = createStretches()
  const shape = { ...load, engine, verifyTls }
  const deadline = createDeadline(seconds + beginningSeconds, { clock })
  const parts = { requests, routes, workers: pool.workers, shape }
  let unanswered: string | undefined
  const ended = await withCrew(parts, { stop, deadline }, (crew, own) =>
    soak({
      ...{ figures, seconds, deadline, seed, clock, loadFor: lasting(load), fromSeconds: 0 },
      stretchSeconds: stretchSeconds(seconds),
      trial: (load, seed) => crew.trial(0, { load, seed }),
      stopped: own.requested,
      keep(stretch, result) {
        stretches.add(stretch)
        unanswered ??= summary(result).unanswered
      }
    })
  )
  if (ended === 'unanswered') return { absent: unanswered ?? 'the target never answered' }
  const terms = { budget: 0.05, budgets, seed }
  const all = [...stretches.all()]
  const metrics = Object.entries(judgeDrift(all, terms).metrics).map(([name, drift]) => {
    return { name: `${name} slope`, value: drift.slope, unit: `${drift.unit}/hour` }
  })
  return { evidence: { kind: 'soak', terms, stretches: all }, metrics }
}

/** Does the work of a unit that searches a capacity or soaks, on load threads of its own. */
export async function endure(unit: Unit, parts: Parts): Promise<Endured> {
  const { target, pool, seed, signal } = parts
  const made = await pool.requests({ unit, target, seed }, signal)
  if ('absent' in made) return made
  const { capacity, soak: asked, needs } = unit
  const sent = { ...made, verifyTls: verifiesTls(target, needs), routes: routesOf(target, needs) }
  const enduring = capacity
    ? search(sent, capacity, parts)
    : soaked(sent, { unit, asked: asked! }, parts)
  return enduring.catch((cause) => {
    unlessStopped(cause)
    return { absent: 'no connection was made in the time there was' }
  })
}
