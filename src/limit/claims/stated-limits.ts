import * as v from 'valibot'
import type { Client } from '../../client/client.ts'
import type { Ordinary } from '../dimension.ts'
import type { Claims } from './claims.ts'

/** Where a service states its limits (Graceful Boundaries). */
const place = '/.well-known/limits'

const positive = v.pipe(v.number(), v.minValue(1))

const rate = v.object({
  type: v.literal('rate'),
  maxRequests: v.pipe(positive, v.integer()),
  windowSeconds: positive
})

const statement = v.object({
  limits: v.record(
    v.string(),
    v.object({
      endpoint: v.optional(v.string(), '/*'),
      method: v.optional(v.string(), '*'),
      limits: v.array(v.unknown())
    })
  )
})

/** What a service states of how often an endpoint may be asked, apart from what answers say. */
export type StatedLimits = Pick<Claims, 'limit' | 'windowMs'>

/**
 * The rate that a service states for what is asked, at `/.well-known/limits`; the strictest of more
 * than one. Undefined where it states none.
 */
export async function statedLimits(
  client: Client,
  { method, path }: Ordinary
): Promise<StatedLimits | undefined> {
  const { status, json } = await client.get(place)
  const { output, success } = v.safeParse(statement, json)
  if (status !== 200 || !success) return
  const rates = Object.values(output.limits)
    .filter((one) => isFor(one.endpoint, path) && ['*', method].includes(one.method))
    .flatMap(({ limits }) => limits)
    .flatMap((limit) => (v.is(rate, limit) ? [limit] : []))
  const perMs = (one: v.InferOutput<typeof rate>) => one.maxRequests / one.windowSeconds
  const [strictest] = rates.toSorted((one, other) => perMs(one) - perMs(other))
  if (!strictest) return
  const { maxRequests, windowSeconds } = strictest
  const text = `${maxRequests} in ${windowSeconds} s`
  return {
    limit: [{ field: place, value: maxRequests, text }],
    windowMs: [{ field: place, value: 1_000 * windowSeconds, text }]
  }
}

/** Whether an endpoint with `*` for anything is meant by a path, whatever its query. */
function isFor(endpoint: string, path: string): boolean {
  const parts = endpoint.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(path.split('?')[0]!)
}
