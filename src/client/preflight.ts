import { clock } from '../clock.ts'
import type { Client } from './client.ts'
import { http2Alone } from './http2-peer.ts'
import { isEvidence, isRedirect } from './reply.ts'

/** Where the endpoint itself was asked, and not one of its hosts, this is a proper answer. */
const misdirected = 421

const patienceMs = 5_000

/** Looks at a listener before it is told to be down, since one lost answer is no outage. */
const looks = 3

/** A limit that is used up says when it is not: so long is waited for that, in seconds. */
const mostRetryAfter = 10

/**
 * Whether anybody is there who speaks HTTP and is in service: any response counts but those of an
 * outage, whatever its status, and also one whose body never ends. A listener may well redirect
 * where nothing was asked, or serve the hosts only that scenarios name. `isHttp2`: it is none, but
 * what speaks HTTP/2 alone is there, and in service for whoever asks so.
 */
export async function preflight(
  client: Client,
  waitMs = patienceMs
): Promise<{ up: true } | { up: false; because: string; isHttp2?: true }> {
  let because = ''
  for (let look = 0; look < looks; look++) {
    const reply = await client.get('', { timeoutMs: waitMs, deadlineMs: waitMs })
    const { status } = reply
    // Whoever has said a head answers, however long the rest goes on, as an event stream does.
    const isOpen = reply.kind === 'timeout' && status > 0
    const answered = isOpen ? { kind: 'answered' as const, status } : reply
    const isThere = isEvidence(answered) || isRedirect(status) || status === misdirected
    if (answered.kind === 'answered' && isThere) return { up: true }
    because = isOpen ? `HTTP ${status}, and ${reply.because}` : reply.because
    if (because === http2Alone) return { up: false, because, isHttp2: true }
    // Who has let five seconds pass, or is not there at all, is not asked again.
    if (['timeout', 'refused', 'unsent'].includes(reply.kind)) break
    const retryAfter = Number(reply.headers['retry-after'])
    if (retryAfter > 0 && retryAfter <= mostRetryAfter && look < looks - 1)
      await clock.until(clock.now() + 1_000 * retryAfter)
  }
  return { up: false, because }
}
