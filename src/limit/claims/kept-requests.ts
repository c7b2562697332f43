import { useConnection } from '../time/connection-use.ts'
import { keptBy } from './kept-time.ts'
import type { ClaimFinding } from './row.ts'
import type { ServiceAsked } from './service-claims.ts'

const field = 'Keep-Alive: max'

/** No more than so many requests are sent on one connection to see whether it takes them. */
export const mostKept = 1_000

/**
 * Whether `Keep-Alive: max` is true: as many requests as the first answer allows are answered on
 * its connection, and no more. Some count the first (Node), and some only those after it, as RFC
 * 2068 has it (Apache); both are taken for true. Undefined where it does not say so.
 */
export async function keptRequests(asked: ServiceAsked): Promise<ClaimFinding | undefined> {
  const first = await useConnection(asked, { most: 1 })
  if (typeof first === 'string') return
  const { max: most } = keptBy(first.said?.['keep-alive'])
  if (most === undefined) return
  const claim = `max=${most}`
  const unsaid = (why: string): ClaimFinding => {
    return { field, verdict: 'unsaid', because: `${claim}; ${why}` }
  }
  if (most > mostKept) {
    const flags = `--up-to requests-per-connection=${most + 1}`
    return unsaid(`not asked so often (--limits requests-per-connection ${flags})`)
  }
  const use = await useConnection(asked, { most: most + 2 })
  if (typeof use === 'string') return unsaid(use)
  const many = use.answered.toLocaleString('en')
  if (asked.stopped() && !use.end) {
    const because = `${many} were answered by the time that the time was up (--time)`
    return { ...unsaid(because), isTimeUp: true }
  }
  const how = use.end?.how === 'announced' ? 'of which the last said so' : `then ${use.end?.how}`
  const because = use.end
    ? `${claim}; ${many} were answered, ${how}`
    : `${claim}; ${many} were answered, and it is still open`
  const isSo = use.end !== undefined && [most, most + 1].includes(use.answered)
  // Who refuses may end a connection for that, whatever it says of others.
  const { refusal } = use
  if (!isSo && use.end && refusal) {
    return unsaid(`${many} were answered, and from ${refusal.after + 1} on with ${refusal.status}`)
  }
  return { field, verdict: isSo ? 'true' : 'false', because }
}
