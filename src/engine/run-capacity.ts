import { clock } from '../clock.ts'
import { defaultTimeoutMs } from '../load/load.ts'
import { routesOf, verifiesTls } from '../target/target.ts'
import { type CapacityOutcome, searchCapacity } from './capacity-search.ts'
import { createDeadline, ownStop } from './deadline.ts'
import type { LoadFound, LoadingParts } from './found.ts'
import { withSender } from './send-load.ts'
import { unlessStopped } from './stop.ts'
import type { Unit } from './unit.ts'

function foundBy(outcome: CapacityOutcome, { demand }: NonNullable<Unit['capacity']>): LoadFound {
  if (outcome.ended === 'lost') {
    return { evidence: { kind: 'none', outcome: 'error', because: outcome.because } }
  }
  if (outcome.ended !== 'searched') return { absent: `${outcome.ended}: ${outcome.because}` }
  const { capacity } = outcome
  const { lower, upper, confirmed } = capacity
  const metrics = Object.entries({ lower, upper, confirmed }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, unit: '1/s' }]
  )
  return { evidence: { kind: 'capacity', demand, found: capacity }, metrics }
}

/** Searches for the highest rate at which a target holds what the unit demands. */
export async function runCapacity(
  unit: Unit,
  asked: NonNullable<Unit['capacity']>,
  { target, pool, workers, stop, seed, signal }: LoadingParts
): Promise<LoadFound> {
  const made = await pool.requests({ unit, target, seed }, signal)
  if ('absent' in made) return made
  const { demand, ceiling, seconds, connections, transport } = asked
  const cap = target.caps?.requestsPerSecond ?? Infinity
  if (cap < demand.perSecond) return { absent: `the authorisation caps the load at ${cap}/s` }
  const { needs } = unit
  const where = { routes: routesOf(target, needs), verifyTls: verifiesTls(target, needs) }
  const shape = { connections, pipelining: 1, timeoutMs: defaultTimeoutMs }
  const deadline = createDeadline(seconds, { clock })
  const { own, letGo } = ownStop(deadline, stop)
  const sent = [{ ...shape, ...where, source: made, transport }]
  const searched = withSender({ workers, stop: own }, sent, (sender) =>
    searchCapacity({
      ...{ shape, deadline, seed, clock, start: demand.perSecond },
      trial: (load) => sender.trial(0, { load, seed }),
      objective: { p99Us: demand.p99Ms * 1_000, errorRatio: demand.errorRatio },
      highest: Math.min(cap, demand.perSecond * ceiling),
      stopped: own.requested,
      onTrial() {}
    })
  )
  const outcome = await searched.catch(unlessStopped).finally(letGo)
  return outcome ? foundBy(outcome, asked) : { absent: notConnected }
}

const notConnected = 'no connection was made in the time there was'
