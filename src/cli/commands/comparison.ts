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
import { anywhere, onOneProcessor, type Placement, type RanOn } from '../targets/placement.ts'

/** A comparison, and where what was started for it ran. */
export type CarriedOut = Comparison & { ranOn: RanOn }

/**
 * Where commands run: not pinned where one side is not ours; nor, unless asked for, where several
 * requests are in flight, since what then waits for what is a matter of how many there are.
 */
function placementFor({ a, b }: Sides, flags: PairFlags): Placement {
  const { pin, connections, pipelining, open, rate } = flags
  const isAlone = connections * pipelining === 1 && !open && rate === undefined
  const areOurs = a.command !== undefined && b.command !== undefined
  if (!areOurs || !(pin ?? isAlone)) return anywhere()
  return onOneProcessor({ isForced: pin === true })
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
  const placement = placementFor(sides, flags)
  const senders = Math.min(workers.all.length, flags.connections)
  const arms = createArms({ sides, sender, destinations, seed, stop, placement, senders })
  try {
    const comparison = await compare({
      ...{ arms, seed, clock, deadline, loadFor: trialLoad(flags), open: flags.open },
      ...gatesOf(flags),
      warmUpSeconds: flags.warmUp,
      pairsPerBlock: isOurs ? pairsPerProcess(deadline.seconds) : 1,
      stopped: stop.requested,
      onProgress
    })
    await arms.close()
    return { ...comparison, ranOn: placement.ranOn() }
  } finally {
    await arms.close()
    await sender.close()
  }
}
