import { Agent, request } from 'undici'
import type { SeenRate } from '../../import/openapi.ts'
import { claimsOf } from '../../limit/claims/claimed.ts'
import { connectorAlong } from '../../tunnel.ts'
import { authoriseUrl } from './authorised-url.ts'

const patienceMs = 5_000

/** Windows that services have, in seconds. */
const usual = [1, 10, 60, 3_600, 86_400]

/**
 * What a service tells of its rate in the headers of its answer to one GET, whose host is loopback
 * or authorised; undefined where it tells nothing. Rejects where it may not be asked, or does not
 * answer.
 */
export async function seenRate(
  { operation, url }: { operation: string; url: string },
  { authorisation, headers }: { authorisation: string; headers: Record<string, string> }
): Promise<SeenRate | undefined> {
  const { route } = await authoriseUrl(url, { authorisation })
  const connect = connectorAlong(route, { timeout: patienceMs })
  const times = { headersTimeout: patienceMs, bodyTimeout: patienceMs }
  const dispatcher = new Agent({ connect, ...times })
  try {
    const { headers: told } = await request(url, { dispatcher, headers })
    const lines = Object.entries(told).map(([name, value]) => [name, [value].flat().join(', ')])
    const claims = claimsOf({ headers: Object.fromEntries(lines) }, Date.now())
    const [limit] = claims.limit
    if (limit === undefined || !Number.isSafeInteger(limit.value) || limit.value < 1) return
    const seconds = windowOf(claims)
    const said = String(told[limit.field.toLowerCase()] ?? limit.text)
    return {
      ...{ operation, requests: limit.value, header: limit.field, said },
      ...(seconds !== undefined && { seconds })
    }
  } finally {
    await dispatcher.destroy()
  }
}

/** The window in seconds: as it is told, or what is left of it where nothing was used before. */
function windowOf({
  limit: [limit],
  windowMs: [window],
  remaining: [remaining],
  resetMs: [reset]
}: ReturnType<typeof claimsOf>): number | undefined {
  if (window !== undefined) return window.value > 0 ? window.value / 1_000 : undefined
  if (remaining === undefined || reset === undefined) return
  if (remaining.value < limit!.value - 1) return
  const left = reset.value / 1_000
  return usual.find((seconds) => Math.abs(left - seconds) <= Math.max(1, seconds / 60))
}
