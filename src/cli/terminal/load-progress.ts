import type { Window } from '../../load/health/live-counters.ts'
import { arrivedMs, durationMs, type Load } from '../../load/load.ts'
import { loadLine } from '../../report/load-table.ts'
import { duration } from '../../report/quantity.ts'

/** When a load is expected to end; `at most 10.0 s` where its requests may end it before. */
function endOf(load: Load): string | undefined {
  const ofMs = load.model === 'open' ? arrivedMs(load) : durationMs(load.phases)
  if (ofMs === Number.POSITIVE_INFINITY) return undefined
  const mayEndSooner = load.model === 'closed' && load.iterations < Number.POSITIVE_INFINITY
  return `${mayEndSooner ? 'at most ' : ''}${duration(ofMs)}`
}

/** Tells how a load goes, look by look: rate and times of the last one, the tally of all so far. */
export function createLoadProgress(load: Load): (window: Window) => string {
  const of = endOf(load)
  const soFar = { failed: 0, dropped: 0 }
  return (window) => {
    soFar.failed += window.failed
    soFar.dropped += window.dropped
    return loadLine(window, soFar, of)
  }
}
