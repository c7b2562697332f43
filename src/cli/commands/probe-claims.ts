import type { Client } from '../../client/client.ts'
import { createLineMaker } from '../../client/line.ts'
import type { Reply } from '../../client/reply.ts'
import { clock } from '../../clock.ts'
import { against, type Baseline } from '../../limit/baseline.ts'
import { holdClaims, timeUp } from '../../limit/claims/hold-claims.ts'
import { untold } from '../../limit/claims/judge-claims.ts'
import { keptRequests, mostKept } from '../../limit/claims/kept-requests.ts'
import { keptBy, keptTime } from '../../limit/claims/kept-time.ts'
import { race } from '../../limit/claims/race.ts'
import type { ClaimFinding } from '../../limit/claims/row.ts'
import { sentFields } from '../../limit/claims/sent-fields.ts'
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
  /** An answer as it usually is. */
  usual: Reply
  stopped: () => boolean
  /** Ends every wait. */
  signal: AbortSignal
  leftMs: () => number
  note: (text: string) => void
  /** Told what is asked now, in words. */
  asks: (text: string) => void
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
  const { note, signal, usual } = asked
  const judge = (reply: Reply) => against(reply, baseline, { crowding: [], isSame: true })
  // What a connection is held to comes after rates, and has its time all the same.
  let laterMs = withClaims ? keptMs(asked) : 0
  const isShort = laterMs > 0
  const leftMs = () => asked.leftMs() - laterMs
  const isOver = () => stopped() || leftMs() <= 0
  const asking = { judge, clock, stopped: isOver, signal }
  const options = {
    ...{ ...asking, ask, mostRequests, mostWaitMs, leftMs, note },
    together: async (count: number) => (await together(count, { client, question, clock })).replies
  }
  // What is asked once refuses nobody, unless all is used up before.
  const maker = createLineMaker({ endpoint: asked.endpoint, clock })
  const of = { client, maker, ordinary: question, clock, stopped, leftMs: asked.leftMs }
  asked.asks(withClaims ? 'whether headers are true, until refused and again' : 'until refused')
  const said = withClaims ? await holdService(of) : []
  // How many are let through one after another is what a burst is held against.
  const stated = withClaims ? await statedLimits(client, question) : undefined
  const { findings: held, because, ...seen } = await holdClaims({ ...options, stated })
  const findings = withClaims ? [...held, ...said] : []
  // As many on one connection may be more than are let through, and a wait may take all there is.
  const holdKept = async () => {
    laterMs = 0
    asked.asks('how long a connection is kept')
    for (const hold of [keptRequests, keptTime]) {
      const kept = stopped() ? undefined : await hold(of)
      if (kept) findings.push(kept)
    }
  }
  if (withClaims && isShort) await holdKept()
  const { level } = seen
  if (withRace && level === undefined) {
    const nothing = 'nothing was refused that was asked one after another'
    findings.push({ field: 'race', verdict: 'unsaid', because: because ?? nothing })
  } else if (withRace) {
    asked.asks('bursts that go out together')
    findings.push(await race({ ...asking, ask, client, question, ...seen, level: level! }))
  }
  if (!withClaims) return { findings }
  if (!isShort) await holdKept()
  const missing = sentFields(usual, clock.now()).filter((field) => {
    return findings.every((one) => one.field !== field)
  })
  const why = stopped() ? ({ because: timeUp, isTimeUp: true } as const) : { because: untold }
  for (const field of missing) findings.push({ field, verdict: 'unsaid', ...why })
  return { findings, because: because ?? findings.find(({ isTimeUp }) => isTimeUp)?.because }
}

/** The most that may be kept for what a connection is held to, as a part of the time, and in ms. */
const mostKeptPart = 1 / 3
const mostKeptMs = 15_000

/** For how many ms what an answer says of its connection is asked about, where that is not long. */
function keptMs({ usual, baseline, leftMs }: ClaimsAsked): number {
  const { timeoutMs = 0, max = 0 } = keptBy(usual.headers['keep-alive'])
  const idleMs = timeoutMs > mostKeptMs ? 0 : timeoutMs
  const usedMs = max > mostKept ? 0 : 2 * max * baseline.slowestMs
  return idleMs + usedMs === 0 ? 0 : Math.min(mostKeptPart * leftMs(), idleMs + usedMs + 1_000)
}
