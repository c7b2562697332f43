import { hash } from 'node:crypto'
import type { PairFlags } from '../flags/compare-flags.ts'
import { trialRequest } from '../flags/trial-flags.ts'
import type { ComparisonConditions } from '../saved/calibration-file.ts'
import type { RanOn } from '../targets/placement.ts'

function arrivalsOf({ open, rate }: PairFlags): string {
  if (open) return 'open'
  return rate === undefined ? 'closed' : `${rate}/s`
}

/** A request, wherever it is sent to, as a few digits. */
function requestDigest(url: string, flags: PairFlags): string {
  const { method, headers, body } = trialRequest(url, flags)
  const { pathname, search } = new URL(url)
  const asked = JSON.stringify([method, pathname, search, headers, body])
  return hash('sha256', asked).slice(0, 12)
}

/** Under what comparisons of a URL were made, which ran where these say. */
export function conditionsOf(
  url: string,
  flags: PairFlags,
  { ranOn, agents }: { ranOn: readonly RanOn[]; agents?: number | undefined }
): ComparisonConditions {
  const { metric, budget: usual, connections, pipelining, transport, workers = 1, warmUp } = flags
  const gates = metric.map(({ metric, budget = usual }) => `${metric}=${budget}`)
  const places = new Set(ranOn.map(({ placed }) => placed))
  return {
    ...{ metric: gates.join(), connections, pipelining, transport },
    arrivals: arrivalsOf(flags),
    senders: agents === undefined ? `${workers} threads` : `${agents} agents`,
    processors: [...places].sort().join(' or '),
    request: requestDigest(url, flags),
    ...(warmUp !== undefined && { warmUp: `${warmUp} s` })
  }
}
