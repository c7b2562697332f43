import { clock } from '../../clock.ts'
import { type Comparison, compare } from '../../engine/comparison.ts'
import { type ComparisonProgress, pairsPerProcess } from '../../engine/comparison-run.ts'
import type { Deadline } from '../../engine/deadline.ts'
import type { LoadWorkers } from '../../engine/load-worker.ts'
import { createSender } from '../../engine/send-load.ts'
import type { Stop } from '../../engine/stop.ts'
import { gatesOf, type PairFlags, trialLoad } from '../flags/compare-flags.ts'
import { destinationOf } from '../flags/trial-flags.ts'
import { createArms, type Sides } from '../targets/arms.ts'

/** Compares two sides as the flags say, and ends what it started. */
export async function carryOut(options: {
  sides: Sides
  flags: PairFlags
  workers: LoadWorkers
  deadline: Deadline
  stop: Stop
  onProgress: (progress: ComparisonProgress) => void
}): Promise<Comparison> {
  const { sides, flags, workers, deadline, stop, onProgress } = options
  const { seed } = flags
  const destinations = [sides.a, sides.b].map(({ url, route }) => destinationOf(url, flags, route))
  const sender = createSender(workers, stop)
  const arms = createArms({ sides, sender, destinations, seed, stop })
  const isOurs = sides.a.command !== undefined || sides.b.command !== undefined
  try {
    return await compare({
      ...{ arms, seed, clock, deadline, loadFor: trialLoad(flags), open: flags.open },
      ...gatesOf(flags),
      pairsPerBlock: isOurs ? pairsPerProcess(deadline.seconds) : 1,
      stopped: stop.requested,
      onProgress
    })
  } finally {
    await arms.close()
    await sender.close()
  }
}
