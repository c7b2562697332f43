import { type Client, createClient } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import type { ClaimFinding } from '../../limit/claims/row.ts'
import type { RequestCounts } from '../../limit/count.ts'
import type { Ordinary } from '../../limit/dimension.ts'
import type { CountedReading } from '../../limit/reading.ts'
import type { VariantBoundary } from '../../limit/variants.ts'
import type { Endpoint } from '../../target/target.ts'
import type { Method, ProbeFlags } from '../flags/probe-flags.ts'
import type { Live } from '../live/live.ts'
import { type TimeGiven, timeGiven } from '../targets/time-given.ts'
import type { Entry } from '../terminal/probe-entry.ts'
import { createProbeProgress, type ProbeProgress } from '../terminal/probe-progress.ts'
import type { AskedPlace } from './probe-places.ts'

/** Who is asked, at what pace sizes are, and what is usually asked. */
export type ProbedService = {
  endpoint: Endpoint
  client: Client
  paced: Client
  ordinary: Ordinary
}

/** What was found to be counted so far, and may have been of the largest that were taken. */
export type SizesTold = { known: CountedReading[]; taken: RequestCounts[] }

/** All that a search for limits goes by. */
export type Looking = ProbedService & {
  /** What the front that is asked passes on to, where that was named. */
  origin?: ProbedService
  /** All replicas of the service, where they were named. */
  replicas: ProbedService[]
  /** Status of the usual answer, once it is known. */
  usual?: number
  options: ProbeFlags
  /** Of whoever is asked, and of the origin; added to. */
  told: SizesTold
  toldOfOrigin: SizesTold
  /** What was found out so far; added to. */
  limits: Entry[]
  /** Every question of each limit on sizes; added to. */
  boundaries: Map<string, readonly VariantBoundary[]>
  /** What came of holding headers to their word, where that was asked. */
  claims?: ClaimFinding[]
  given: TimeGiven
  view: ProbeProgress
  live: Live
}

/** How many things there are to be found out. */
export function wanted({ claims, race, limits, replicas }: ProbeFlags): number {
  return claims || race ? 1 : limits.length + (replicas.length > 0 ? 1 : 0)
}

/** Begins to look, in the time there is. */
export function begin(
  options: ProbeFlags,
  places: { service: AskedPlace; origin?: AskedPlace; replicas: AskedPlace[]; live: Live }
): Looking {
  const { service, origin, replicas, live } = places
  const view = createProbeProgress({
    ...{ stream: process.stderr, output: process.stdout, silent: options.json, page: live },
    of: wanted(options)
  })
  const routes = [service, ...(origin ? [origin] : []), ...replicas]
  const given = timeGiven(options.time, {
    note: view.note,
    routes: routes.flatMap(({ endpoint: { route } }) => route ?? [])
  })
  view.begin(given.deadline)
  const { signal } = given.stop
  const asked = ({ endpoint, ordinary }: AskedPlace): ProbedService => {
    const client = createClient({ endpoint, signal })
    const paced = createClient({ endpoint, perSecond: options.rate, signal })
    return { endpoint, client, paced, ordinary }
  }
  return {
    ...asked(service),
    ...(origin && { origin: asked(origin) }),
    replicas: replicas.map(asked),
    ...{ options, limits: [], boundaries: new Map(), given, view, live },
    told: { known: [], taken: [] },
    toldOfOrigin: { known: [], taken: [] }
  }
}

/** Ends all connections. */
export async function endAsking({ origin, replicas, ...service }: Looking): Promise<void> {
  const all = [service, ...(origin ? [origin] : []), ...replicas]
  await Promise.all(all.flatMap(({ client, paced }) => [client.close(), paced.close()]))
}

/** Asks the ordinary request, over connections that stay. */
export function ordinarily({
  client,
  ordinary
}: Pick<ProbedService, 'client' | 'ordinary'>): Promise<Reply> {
  const { method, path, headers } = ordinary
  return client.with(Object.fromEntries(headers))[method.toLowerCase() as Lowercase<Method>](path)
}
