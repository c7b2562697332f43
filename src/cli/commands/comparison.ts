import { clock } from '../../clock.ts'
import { type Comparison, compare } from '../../engine/comparison.ts'
import { type ComparisonProgress, pairsPerProcess } from '../../engine/comparison-run.ts'
import type { Deadline } from '../../engine/deadline.ts'
import type { LoadWorkers } from '../../engine/load-worker.ts'
import { createSender } from '../../engine/send-load.ts'
import type { Stop } from '../../engine/stop.ts'
import { type PairFlags, trialLoad } from '../flags/compare-flags.ts'
import { destinationOf } from '../flags/trial-flags.ts'
import { createArms, type Sides } from '../targets/arms.ts'

/** Up to here two copies of one thing differ too; less where the budget itself is small. */
const nothing = 0.01

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
  const { seed, metric, budget } = flags
  const destinations = [sides.a, sides.b].map(({ url, route }) => destinationOf(url, flags, route))
  const sender = createSender(workers, stop)
  const arms = createArms({ sides, sender, destinations, seed, stop })
  const isOurs = sides.a.command !== undefined || sides.b.command !== undefined
  try {
    return await compare({
      ...{ arms, metric, seed, clock, deadline, loadFor: trialLoad(flags), open: flags.open },
      margins: {
        nothing: Math.log1p(Math.min(nothing, budget / 200)),
        budget: Math.log1p(budget / 100)
      },
      pairsPerBlock: isOurs ? pairsPerProcess(deadline.seconds) : 1,
      stopped: stop.requested,
      onProgress
    })
  } finally {
    await arms.close()
    await sender.close()
  }
}
