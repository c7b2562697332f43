import { useConnection } from '../time/connection-use.ts'
import type { ClaimFinding } from './row.ts'
import type { ServiceAsked } from './service-claims.ts'

/** No more than so many requests are sent on one connection to see whether it takes them. */
const mostAsked = 1_000

/**
 * Whether `Keep-Alive: max` is true: as many requests as the first answer allows are answered on
 * its connection, and no more. Some count the first (Node), and some only those after it, as RFC
 * 2068 has it (Apache); both are taken for true. Undefined where it does not say so.
 */
export async function keptRequests(asked: ServiceAsked): Promise<ClaimFinding | undefined> {
  const field = 'Keep-Alive: max'
  const first = await useConnection(asked, { most: 1 })
  if (typeof first === 'string') return
  const [claim, told] = /\bmax=(\d+)/.exec(first.said?.['keep-alive'] ?? '') ?? []
  if (claim === undefined) return
  const most = Number(told)
  if (most > mostAsked) return { field, verdict: 'unsaid', because: `${claim}; not asked so often` }
  const use = await useConnection(asked, { most: most + 2 })
  if (typeof use === 'string' || asked.stopped()) {
    return { field, verdict: 'unsaid', because: 'stopped on the way' }
  }
  const many = use.answered.toLocaleString('en')
  const how = use.end?.how === 'announced' ? 'of which the last said so' : `then ${use.end?.how}`
  const because = use.end
    ? `${claim}; ${many} were answered, ${how}`
    : `${claim}; ${many} were answered, and it is still open`
  const isSo = use.end !== undefined && [most, most + 1].includes(use.answered)
  return { field, verdict: isSo ? 'true' : 'false', because }
}
