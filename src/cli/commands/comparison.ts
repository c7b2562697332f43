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
import { pinnableProcessors, takeTurns } from '../targets/processors.ts'

/** A comparison, and whether what was started for it had one processor. */
export type CarriedOut = Comparison & { isPinned: boolean }

/**
 * The processors of which both sides get one, another one for each start; none where they have all.
 * Two copies of a server on a core each differ by as much as these cores do, which share theirs
 * with who knows whom: by 9 to 22 % in two seconds on the host that this was measured on, and by
 * 0.6 to 2.5 % on one. Not where one side is not ours.
 */
function processorsFor({ a, b }: Sides, { pin }: PairFlags): number[] {
  const areOurs = a.command !== undefined && b.command !== undefined
  return pin && areOurs ? pinnableProcessors() : []
}

/** Compares two sides as the flags say, and ends what it started. */
export async function carryOut(options: {
  sides: Sides
  flags: PairFlags
  workers: LoadWorkers
  deadline: Deadline
  stop: Stop
  onProgress: (progress: ComparisonProgress) => void
}): Promise<CarriedOut> {
  const { sides, flags, workers, deadline, stop, onProgress } = options
  const { seed } = flags
  const destinations = [sides.a, sides.b].map(({ url, route }) => destinationOf(url, flags, route))
  const sender = createSender(workers, stop)
  const isOurs = sides.a.command !== undefined || sides.b.command !== undefined
  const processors = processorsFor(sides, flags)
  const senders = Math.min(workers.all.length, flags.connections)
  const isPinned = processors.length > 0
  const place = isPinned ? takeTurns(processors) : undefined
  const arms = createArms({ sides, sender, destinations, seed, stop, place, senders })
  try {
    const comparison = await compare({
      ...{ arms, seed, clock, deadline, loadFor: trialLoad(flags), open: flags.open },
      ...gatesOf(flags),
      pairsPerBlock: isOurs ? pairsPerProcess(deadline.seconds) : 1,
      stopped: stop.requested,
      onProgress
    })
    return { ...comparison, isPinned }
  } finally {
    await arms.close()
    await sender.close()
  }
}
