import type { Caps } from '../caps.ts'
import { type Load, peak } from './load.ts'

/** Why a load may not be sent under a target's caps; undefined when it may. */
export function overCap(
  load: Load,
  caps: Pick<Caps, 'requestsPerSecond'> | undefined
): string | undefined {
  if (caps === undefined) return
  const { requestsPerSecond } = caps
  if (load.model === 'closed') {
    return `a closed load has no rate, and the authorisation caps it at ${requestsPerSecond}/s`
  }
  const highest = peak(load.phases)
  if (highest <= requestsPerSecond) return
  return `the load rises to ${highest}/s, but the authorisation caps it at ${requestsPerSecond}/s`
}
