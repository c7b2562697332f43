import autocannon from 'autocannon'
import type { Sides } from '../../src/cli/targets/arms.ts'
import { spawnServer } from '../../src/cli/targets/spawned-server.ts'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed } from '../../src/load/load.ts'
import { sendPart } from '../load/ask.ts'

/** What others say of the same pair in the same minutes: k6's thresholds, two autocannon runs. */
export type PeerVerdicts = Record<'k6' | 'autocannon', 'regressed' | 'improved' | 'passed'>

/** One side, measured by itself, one after the other, as a pipeline does. */
type Measured = { perSecond: number; medianUs: number; p95Us: number; failed: number }

/** Fresh code and fresh connections are not what is to be compared. */
const warmUpSeconds = 2

async function measured(
  { url, command }: Sides['a'],
  { seconds, header }: { seconds: number; header: readonly string[] }
): Promise<Measured> {
  const headers = Object.fromEntries(header.map((line) => line.split(': ') as [string, string]))
  const request = { url, headers }
  const server = await spawnServer(command!, { url, stop: new AbortController().signal })
  try {
    await sendPart(request, closed({ connections: 1, seconds: warmUpSeconds }))
    const share = await sendPart(request, closed({ connections: 1, seconds }))
    const { response, errors, requests } = summary(mergeShares([share]))
    const failures = Object.values(errors).reduce((sum, count) => sum + count, 0)
    const other = await autocannon({ url, headers, connections: 1, duration: seconds })
    return {
      perSecond: other.requests.average,
      failed: failures / requests,
      medianUs: response.p50 ?? Infinity,
      p95Us: response.p95 ?? Infinity
    }
  } finally {
    await server.stop()
  }
}

/**
 * Both sides one after the other. k6 fails a run of which a threshold is crossed; as a pipeline has
 * them, `med` and `p(95)` of `http_req_duration` within what A showed and the budget, and
 * `http_req_failed: rate<0.01`, which is the example of its documentation. k6 itself cannot be
 * had here: the rule is applied to a run of our own sender. Of two runs of autocannon people
 * compare the mean of requests a second.
 */
export async function peerVerdicts(
  { a, b }: Sides,
  { budget, ...given }: { budget: number; seconds: number; header: readonly string[] }
): Promise<PeerVerdicts> {
  const [before, after] = [await measured(a, given), await measured(b, given)]
  const most = 1 + budget
  const crosses =
    after.medianUs >= most * before.medianUs ||
    after.p95Us >= most * before.p95Us ||
    after.failed >= 0.01
  const ratio = before.perSecond / after.perSecond
  const verdict = ratio >= most ? 'regressed' : ratio <= 1 / most ? 'improved' : 'passed'
  return { k6: crosses ? 'regressed' : 'passed', autocannon: verdict }
}
