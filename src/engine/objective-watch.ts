import { plannedIterations } from '../load/arrivals/pacer.ts'
import { broken, hopeless, type Whole } from '../load/figures/bounds.ts'
import { fewestArrivals, shortestMs } from '../load/health/health.ts'
import { between, type Reading, type Window } from '../load/health/live-counters.ts'
import { type Load, measuredFrom } from '../load/load.ts'
import type { Objectives } from '../verdict/judge-load.ts'
import type { Source } from './load-worker.ts'

/** Holds a load against its objectives while it goes on. */
export type ObjectiveWatch = {
  /** Takes the next reading; the first one is where the load begins. */
  see: (reading: Reading) => void
  /** What was broken, in words: in which stretch, or why the load was given up. */
  broken: () => string[]
}

/**
 * How many arrivals a load has, and how many requests it sends at most: each of those given is one
 * an iteration, and a stream is one however often it is asked to go on. What a scenario asks, only
 * its workers know.
 */
function plannedOf({ load, seed, source }: { load: Load; seed: number; source: Source }): Whole {
  const arrivals = plannedIterations(load, seed)
  if (!('requests' in source)) return { arrivals, requests: Infinity }
  return { arrivals, requests: arrivals }
}

/**
 * Watches readings for stretches that break the objectives' `every`, and calls `onHopeless`, once,
 * when so much has gone wrong that the objectives of the whole load cannot be met any more.
 */
export function createObjectiveWatch(options: {
  load: Load
  seed: number
  source: Source
  objectives: Objectives
  onHopeless: () => void
}): ObjectiveWatch {
  const { load, objectives, onHopeless } = options
  const planned = plannedOf(options)
  const skipMs = measuredFrom(load.phases)
  const found: string[] = []
  let beginsAt: number | undefined
  let origin: Reading | undefined
  let mark: Reading | undefined
  let isGivenUp = false

  const seconds = (reading: Reading) => ((reading.atMs - beginsAt!) / 1_000).toFixed(1)
  const seeStretch = (reading: Reading) => {
    const { every } = objectives
    if (!every || reading.atMs - mark!.atMs < every.seconds * 1_000) return
    const when = `from ${seconds(mark!)} s to ${seconds(reading)} s`
    found.push(...broken(between(mark!, reading), every).map((text) => `${when}: ${text}`))
    mark = reading
  }
  /** Whether it can be told by then if what was late, or not sent, was the generator's doing. */
  const isTold = ({ toMs, fromMs, measured, dropped }: Window) =>
    toMs - fromMs >= shortestMs && (load.model === 'closed' || measured + dropped >= fewestArrivals)
  const seeWhole = (reading: Reading) => {
    const window = between(origin!, reading)
    // An answer that says no is the target's, on however busy a machine.
    const held = isTold(window) ? objectives : { errorRatio: objectives.errorRatio }
    const reasons = hopeless(window, held, planned)
    if (isGivenUp || reasons.length === 0) return
    isGivenUp = true
    found.push(`given up after ${seconds(reading)} s: ${reasons.join(', ')}`)
    onHopeless()
  }
  return {
    see(reading) {
      beginsAt ??= reading.atMs
      if (reading.atMs - beginsAt < skipMs) return
      origin ??= reading
      mark ??= reading
      seeStretch(reading)
      seeWhole(reading)
    },
    broken: () => [...found]
  }
}
