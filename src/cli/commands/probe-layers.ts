import { createLineMaker } from '../../client/line.ts'
import { clock } from '../../clock.ts'
import { against, type Baseline } from '../../limit/baseline.ts'
import { raceKeepAlive } from '../../limit/layers/keep-alive-race.ts'
import { countAcross } from '../../limit/layers/replicas.ts'
import type { RateLimit } from '../../limit/rate-limit.ts'
import type { RaceEntry, ReplicasEntry } from '../terminal/layer-entry.ts'
import { type Looking, ordinarily } from './probe-looking.ts'
import { usualUpToMs } from './probe-times.ts'

/** Whether requests fail as the origin closes the connections that the front keeps to it. */
export async function raceOf(looking: Looking): Promise<RaceEntry> {
  const { endpoint, origin, ordinary, options, given } = looking
  const perSecond = options.rate
  const maker = (one: typeof endpoint) => {
    return createLineMaker({ endpoint: one, clock, ...(perSecond && { perSecond }) })
  }
  const found = await raceKeepAlive({
    ...{ front: maker(endpoint), origin: maker(origin!.endpoint), ordinary, clock },
    stopped: given.stop.requested,
    upToMs: options.upTo['keep-alive-race'] ?? usualUpToMs
  })
  const { verdict, closesMs = null, sent, rounds, failed, because } = found
  return { limit: 'keep-alive-race', verdict, closesMs, sent, rounds, failed, because }
}

/** Whether replicas count together, by the limit that one of them was found to have. */
export async function replicasOf(
  looking: Looking,
  baseline: Baseline,
  { algorithm, burst, perSecond, windowMs, because }: RateLimit
): Promise<ReplicasEntry> {
  const { replicas, given } = looking
  const nothing = { limit: 'replicas' as const, total: null, rounds: [] }
  const isDelayed = algorithm === 'leaky-queue' || algorithm === 'queued-window'
  if (burst === undefined || perSecond === undefined || isDelayed) {
    const why = algorithm === 'none' ? 'one of them shows no limit' : `of one: ${because}`
    return { ...nothing, counted: 'unclear', because: why }
  }
  const found = await countAcross({
    replicas: replicas.map((one) => async () => {
      return against(await ordinarily(one), baseline, { crowding: [], isSame: true })
    }),
    ...{ level: burst, restMs: windowMs ?? (1_000 * burst) / perSecond, clock },
    stopped: given.stop.requested
  })
  const { counted, total = null, rounds } = found
  return { ...nothing, counted, total, rounds, because: found.because }
}
