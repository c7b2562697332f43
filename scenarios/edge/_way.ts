import { type Client, type Context, pairwise } from 'plimsoll'

const plans = ['free', 'pro', 'business', 'enterprise'] as const
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** A way to ask about a size: of a zone on which plan, by which method, and where the bytes are. */
export type Way<Place extends string> = {
  plan: (typeof plans)[number]
  method: (typeof methods)[number]
  place: Place
}

/** Ways to ask in which every two of a plan, a method and a place meet, by their names. */
export function waysOf<Place extends string>(
  places: readonly Place[],
  by: readonly Way<Place>['method'][] = methods
): Record<string, Way<Place>> {
  // The names are those of variants, and no others in the next run.
  const ways = pairwise({ plan: plans, method: by, place: places }, { seed: 16 })
  const named = ways.map((way) => [`${way.method} on ${way.plan}, ${way.place}`, way as Way<Place>])
  return Object.fromEntries(named)
}

/**
 * What is sent beside a head: a small body by the methods that have one. Its length is told: where
 * it is chunked, a proxy may tell it on the way or not, as it comes, and the head has other bytes.
 */
export function bodyOf({ method }: Way<string>) {
  if (method === 'GET' || method === 'DELETE') return undefined
  return { bytes: 9, framing: 'length' } as const
}

/** The zone of a way's plan; of a target that names no such host, the usual one. */
export function zoneOf({ edge, hosts }: Context, { plan }: Way<string>): Client {
  return edge.zone(plan in hosts ? plan : 'pro')
}
