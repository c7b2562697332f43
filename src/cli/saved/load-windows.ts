import type { Unit } from '../../engine/unit.ts'
import type { Window } from '../../load/health/live-counters.ts'
import { durationMs } from '../../load/load.ts'
import type { WindowRecord } from '../../report/record.ts'
import { median } from '../../statistics/quantile.ts'

/** Stretches that are kept of one load. */
const most = 1_200

/** How often a load is looked at, in milliseconds. */
const lookMs = 250

type Look = Omit<WindowRecord, 't' | 'scenario'>

/** What was seen of a load since the last look, as a line of a run. */
export function windowRecord(scenario: string, window: Window): WindowRecord {
  return { t: 'window', scenario, ...lookOf(window) }
}

function lookOf(window: Window): Look {
  const { fromMs, toMs, finished, measured, failed, dropped, inFlight } = window
  const [p50Us, p99Us] = [50, 99].map((percent) => window.percentileUs(percent))
  const times = { fromMs: Math.round(fromMs), toMs: Math.round(toMs) }
  return { ...times, finished, measured, failed, dropped, inFlight, p50Us: p50Us!, p99Us: p99Us! }
}

/** Looks in a row as one: counts are added, of medians there is a median, of p99 the worst. */
function joined(looks: readonly Look[]): Look {
  const sum = (of: 'finished' | 'measured' | 'failed' | 'dropped') =>
    looks.reduce((total, one) => total + one[of], 0)
  const medians = looks.flatMap(({ p50Us }) => p50Us ?? [])
  const worst = looks.flatMap(({ p99Us }) => p99Us ?? [])
  return {
    fromMs: looks[0]!.fromMs,
    toMs: looks.at(-1)!.toMs,
    ...{ finished: sum('finished'), measured: sum('measured') },
    ...{ failed: sum('failed'), dropped: sum('dropped') },
    inFlight: Math.max(...looks.map(({ inFlight }) => inFlight)),
    p50Us: medians.length > 0 ? median(medians) : null,
    p99Us: worst.length > 0 ? Math.max(...worst) : null
  }
}

/** A load over time while it goes on. */
export type WindowSeries = ReturnType<typeof createWindowSeries>

/**
 * Keeps a load over time, in about 1,200 stretches of a length that follows from its own. One that
 * goes on for longer is kept in ever longer ones, twice as many at most.
 */
export function createWindowSeries(ofMs: number) {
  let each = Number.isFinite(ofMs) ? Math.max(1, Math.ceil(ofMs / lookMs / most)) : 1
  let kept: Look[] = []
  let open: Look[] = []
  return {
    add(window: Window): void {
      if (kept.length >= 2 * most) {
        kept = kept.flatMap((_, at) => (at % 2 === 0 ? [joined(kept.slice(at, at + 2))] : []))
        each *= 2
      }
      open.push(lookOf(window))
      if (open.length < each) return
      kept.push(joined(open))
      open = []
    },
    /** The stretches so far, as lines of a run. */
    records(scenario: string): WindowRecord[] {
      const all = open.length > 0 ? [...kept, joined(open)] : kept
      return all.map((look) => ({ t: 'window', scenario, ...look }))
    }
  }
}

/** Keeps every load of a run over time. */
export function createRunSeries() {
  const ofUnits = new Map<Unit, WindowSeries>()
  return {
    /** Adds a look, and returns it as a line. */
    add(unit: Unit, window: Window): WindowRecord {
      const ofMs = unit.load ? durationMs(unit.load.load.phases) : Number.POSITIVE_INFINITY
      const known = ofUnits.get(unit) ?? createWindowSeries(ofMs)
      ofUnits.set(unit, known)
      known.add(window)
      return windowRecord(unit.scenario, window)
    },
    /** A load's stretches so far. */
    records: (unit: Unit): WindowRecord[] => ofUnits.get(unit)?.records(unit.scenario) ?? []
  }
}
