import { durationMs, type OpenLoad } from '../load.ts'
import { numberOf } from '../share.ts'
import type { Beginning, Conditions, Executor } from './executor.ts'
import type { Pacer } from './pacer.ts'

/** Arrivals released in one go at most; between two goes the responses get their turn. */
const releasedAtOnce = 64

/** An arrival that can only be let go this late is not the one that was due: it is dropped. */
const tooLateMs = 1_000

/** Looks for an early stop this often where nothing else would wake it. */
const lookMs = 50

/**
 * Carries out one worker's part of an open load: begins what is due, however much is unfinished.
 */
export function createOpen(
  options: Conditions & {
    /** The worker's part, and the pacer of the whole load. */
    load: Omit<OpenLoad, 'model'>
    pacer: Pacer
    /** Told how long after its due moment each arrival was let go. */
    onLag: (due: number, ms: number) => void
    onDrop: (due: number) => void
  }
): Executor {
  const { load, share, timeline, pacer, stopped, onLag, onDrop } = options
  const { now, at } = timeline
  const wait = load.precise ? at : timeline.wakeAt
  const over = Promise.withResolvers<number>()
  const endMs = durationMs(load.phases)
  const dueOf = (nth: number) => (nth < load.iterations ? pacer(numberOf(nth, share)) : Infinity)
  let iterations: Beginning
  let released = 0
  let due = dueOf(0)
  let begun = 0
  let inFlight = 0
  let drainEnd = 0

  const release = (ms: number) => {
    onLag(due, ms - due)
    if (ms - due > tooLateMs || inFlight >= load.maxInFlight) onDrop(due)
    else {
      begun++
      inFlight++
      iterations.begin(numberOf(released, share), due, 0)
      iterations.flush()
    }
    due = dueOf(++released)
  }
  // After the last arrival the load goes on to its end, and then as long as a request may take.
  const isEnded = () => due === Infinity && (released >= load.iterations || now() >= endMs)
  const drain = () => {
    if (stopped() || (isEnded() && inFlight === 0) || now() >= drainEnd) over.resolve(inFlight)
    else at(Math.min(now() + lookMs, now() < endMs ? endMs : Infinity), drain)
  }
  const go = () => {
    let ms = now()
    for (let left = releasedAtOnce; left > 0 && due <= ms; left--) {
      release(ms)
      ms = now()
    }
    if (due < Infinity && !stopped()) return wait(Math.min(due, ms + lookMs), go)
    // A request may wait for a connection as long as for its response.
    drainEnd = Math.max(ms, released < load.iterations ? endMs : 0) + 2 * load.timeoutMs + lookMs
    drain()
  }
  return {
    run(given) {
      iterations = given
      go()
      return over.promise
    },
    inFlight: () => inFlight,
    begun: () => begun,
    finished() {
      inFlight--
      if (inFlight === 0 && isEnded()) over.resolve(0)
    }
  }
}
