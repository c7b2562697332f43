import { createLineMaker } from '../../client/line.ts'
import { clock } from '../../clock.ts'
import { against, type Baseline } from '../../limit/baseline.ts'
import { raceKeepAlive } from '../../limit/layers/keep-alive-race.ts'
import { countAcross, type ReplicaLevel } from '../../limit/layers/replicas.ts'
import type { RateLimit } from '../../limit/rate-limit.ts'
import type { RaceEntry, ReplicasEntry } from '../terminal/layer-entry.ts'
import { rateAt } from './probe-lines.ts'
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
    leftMs: given.deadline.leftMs,
    upToMs: options.upTo['keep-alive-race'] ?? usualUpToMs
  })
  const { verdict, closesMs = null, sent, rounds, failed, because } = found
  return { limit: 'keep-alive-race', verdict, closesMs, sent, rounds, failed, because }
}

/** Whether replicas count together, by the limit that one of them was found to have. */
export async function replicasOf(
  looking: Looking,
  baseline: Baseline,
  first: RateLimit
): Promise<ReplicasEntry> {
  const { replicas, given } = looking
  const nothing = { limit: 'replicas' as const, total: null, rounds: [] }
  if (given.stop.requested()) {
    const because = 'the time was up before they were asked one after another (--time)'
    return { ...nothing, counted: 'unclear', because }
  }
  const level = levelOf(first)
  if (level === undefined) {
    const isNone = first.algorithm === 'none'
    const why = isNone ? 'one of them shows no limit' : `of one: ${first.because}`
    return { ...nothing, counted: 'unclear', because: why }
  }
  const found = await countAcross({
    replicas: replicas.map((one) => ({
      name: one.endpoint.url,
      async ask() {
        return against(await ordinarily(one), baseline, { crowding: [], isSame: true })
      }
    })),
    ...{ ...level, isExact: ['fixed-window', 'sliding-log'].includes(first.algorithm) },
    async levelOf(place) {
      const own = await rateAt(looking, replicas[place]!, baseline)
      if (own.algorithm === 'none') return 'none'
      return levelOf(own) ?? { because: own.because }
    },
    ...{ clock, stopped: given.stop.requested }
  })
  const { counted, total = null, rounds } = found
  return { ...nothing, counted, total, rounds, because: found.because }
}

/** How many are taken at once, and again after which rest; undefined where that is not known. */
function levelOf({ algorithm, burst, perSecond, windowMs }: RateLimit): ReplicaLevel | undefined {
  const isDelayed = ['leaky-queue', 'queued-window', 'queued-log'].includes(algorithm)
  if (burst === undefined || perSecond === undefined || isDelayed) return
  return { level: burst, restMs: windowMs ?? (1_000 * burst) / perSecond }
}
