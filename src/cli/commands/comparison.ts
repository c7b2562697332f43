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
import type { RanOn } from '../terminal/comparison-text.ts'

/** A comparison, and where what was started for it ran. */
export type CarriedOut = Comparison & { placed: RanOn }

/**
 * The processors of which both sides get one, another one for each start; none where they have all.
 * Two copies of a server on a core each differ by as much as these cores do, which share theirs
 * with who knows whom: by 3 to 22 % in two seconds on the host that this was measured on, and by
 * 0.3 to 3 % on one. Not where one side is not ours; nor, unless asked for, where several requests
 * are in flight, since what then waits for what is a matter of how many there are.
 */
function processorsFor({ a, b }: Sides, flags: PairFlags): number[] {
  const { connections, pipelining, open, rate } = flags
  const isAlone = connections * pipelining === 1 && !open && rate === undefined
  const { pin = isAlone } = flags
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
  const place = processors.length > 0 ? takeTurns(processors) : undefined
  const arms = createArms({ sides, sender, destinations, seed, stop, place, senders })
  try {
    const comparison = await compare({
      ...{ arms, seed, clock, deadline, loadFor: trialLoad(flags), open: flags.open },
      ...gatesOf(flags),
      pairsPerBlock: isOurs ? pairsPerProcess(deadline.seconds) : 1,
      stopped: stop.requested,
      onProgress
    })
    return {
      ...comparison,
      placed: place === undefined ? 'all' : arms.haveStrayed() ? 'own' : 'one'
    }
  } finally {
    await arms.close()
    await sender.close()
  }
}
