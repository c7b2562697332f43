import type { Client } from '../../client/client.ts'
import { createLineMaker } from '../../client/line.ts'
import type { Reply } from '../../client/reply.ts'
import { clock } from '../../clock.ts'
import { against, type Baseline } from '../../limit/baseline.ts'
import { holdClaims } from '../../limit/claims/hold-claims.ts'
import { keptRequests } from '../../limit/claims/kept-requests.ts'
import { race } from '../../limit/claims/race.ts'
import type { ClaimFinding } from '../../limit/claims/row.ts'
import { holdService } from '../../limit/claims/service-claims.ts'
import { statedLimits } from '../../limit/claims/stated-limits.ts'
import { together } from '../../limit/claims/together.ts'
import type { Ordinary } from '../../limit/dimension.ts'
import type { Endpoint } from '../../target/target.ts'

/** Whom to hold to its headers, and how much may be asked of it. */
export type ClaimsAsked = {
  client: Client
  question: Ordinary
  endpoint: Endpoint
  ask: () => Promise<Reply>
  baseline: Baseline
  stopped: () => boolean
  /** Ends every wait. */
  signal: AbortSignal
  leftMs: () => number
  note: (text: string) => void
  mostRequests: number
  /** Whether headers are held to their word, and whether bursts go out together. */
  withClaims: boolean
  withRace: boolean
}

/** For how long a wait that a header names is kept to, in ms. */
const mostWaitMs = 120_000

/** What came of each, and why not all of it was asked, if so. */
export type ClaimsHeld = { findings: ClaimFinding[]; because?: string | undefined }

/** Whether each header about limits tells the truth, and whether the limit holds in a race. */
export async function claimsHeld(asked: ClaimsAsked): Promise<ClaimsHeld> {
  const { client, question, ask, baseline, stopped, mostRequests, withClaims, withRace } = asked
  const judge = (reply: Reply) => against(reply, baseline, { crowding: [], isSame: true })
  const asking = { judge, clock, stopped, signal: asked.signal }
  const { leftMs, note } = asked
  const options = {
    ...{ ...asking, ask, mostRequests, mostWaitMs, leftMs, note },
    together: async (count: number) => (await together(count, { client, question, clock })).replies
  }
  // What is asked once refuses nobody, unless all is used up before.
  const maker = createLineMaker({ endpoint: asked.endpoint, clock })
  const of = { client, maker, ordinary: question, clock, stopped }
  const said = withClaims ? await holdService(of) : []
  // How many are let through one after another is what a burst is held against.
  const stated = withClaims ? await statedLimits(client, question) : undefined
  const { findings: held, because, ...seen } = await holdClaims({ ...options, stated })
  // As many on one connection may be more than are let through, so that it comes last.
  const uses = withClaims ? await keptRequests(of) : undefined
  const findings = withClaims ? [...held, ...said, ...(uses ? [uses] : [])] : []
  if (!withRace) return { findings, because }
  const { level } = seen
  if (level === undefined) {
    const nothing = 'nothing was refused that was asked one after another'
    findings.push({ field: 'race', verdict: 'unsaid', because: because ?? nothing })
  } else findings.push(await race({ ...asking, ask, client, question, ...seen, level }))
  return { findings, because: withClaims ? because : undefined }
}
