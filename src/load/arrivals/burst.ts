import { type BurstLoad, durationMs } from '../load.ts'
import { numberOf, usersBelow } from '../share.ts'
import type { Beginning, Conditions, Executor } from './executor.ts'

/** Carries out one worker's part of a load of bursts. */
export function createBurst(options: Conditions & { load: BurstLoad }): Executor {
  const { load, share, timeline, stopped } = options
  const endMs = durationMs(load.phases)
  const size = usersBelow(load.size, share)
  const over = Promise.withResolvers<number>()
  let iterations: Beginning
  let begun = 0
  let done = 0

  const burst = (due: number) => {
    if (due >= endMs || begun >= load.iterations || stopped()) return settle()
    for (let n = 0; n < size && begun < load.iterations; n++) {
      iterations.begin(numberOf(begun++, share), due, n)
    }
    iterations.flush()
    timeline.after(due + load.everyMs - timeline.now(), () => burst(due + load.everyMs))
  }
  const settle = () => {
    const isLate = timeline.now() >= endMs + 2 * load.timeoutMs
    if (begun === done || isLate || stopped()) over.resolve(begun - done)
    else timeline.after(20, settle)
  }
  return {
    run(given) {
      iterations = given
      burst(0)
      return over.promise
    },
    inFlight: () => begun - done,
    begun: () => begun,
    finished() {
      done++
    }
  }
}
