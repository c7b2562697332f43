import { describe, expect, test } from 'vitest'
import { type CapacityOptions, searchCapacity } from '../../src/engine/capacity-search.ts'
import { compare } from '../../src/engine/comparison.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { type Arm, oneByOne } from '../../src/engine/pairing.ts'
import { createSender, sendLoad } from '../../src/engine/send-load.ts'
import { soak } from '../../src/engine/soak.ts'
import { createStop } from '../../src/engine/stop.ts'
import { createPacer, isMeasured } from '../../src/load/arrivals/pacer.ts'
import { requestsIn } from '../../src/load/figures/metrics.ts'
import type { LoadResult } from '../../src/load/figures/result.ts'
import { durationMs, hold, type Load, measuredFrom, open, warmUp } from '../../src/load/load.ts'
import { trialOf } from '../../src/verdict/trial.ts'
import { type Answering, createVirtualWorkers } from './virtual-workers.ts'

const shape = { connections: 4, pipelining: 1, timeoutMs: 1_000 }
const source = { requests: [{ url: 'http://127.0.0.1:1/' }] }
const destination = { ...shape, source, transport: 'wire' as const }
const afterMs = 5

/** A load of which a part is warm-up, so that the measured part takes so long. */
const loadFor = (seconds: number): Load => ({
  ...open(warmUp(hold({ rate: 200, seconds: 0.5 })), hold({ rate: 100, seconds })),
  ...shape
})

/** Every load that was sent, and what came of it. */
type Seen = { load: Load; result: LoadResult }[]

/** What sends, and takes down what it has sent. */
function started(answering: Answering) {
  const { workers, time, counts } = createVirtualWorkers(answering)
  const stop = createStop()
  const sender = createSender(workers, stop)
  const seen: Seen = []
  const trial = async (load: Load, seed = 1) => {
    const result = await sender.trial(0, { load, seed })
    seen.push({ load, result })
    return result
  }
  const { clock } = time
  const deadline = createDeadline(12, { clock })
  const common = { deadline, seed: 1, clock, stopped: stop.requested }
  return { workers, time, counts, stop, sender, seen, trial, common }
}

/** How many of a load's arrivals are due in what is measured. */
function measuredArrivals({ phases }: Load): number {
  const pacer = createPacer({ phases, seed: 1 })
  let count = 0
  for (let n = 0; pacer(n) < Infinity; n++) if (isMeasured(phases, pacer(n))) count++
  return count
}

const steady: Answering = () => ({ ms: afterMs, status: 200 })

/** A limiter that answers no more than so many in each tenth of a second. */
function limited(most: number): Answering {
  let [window, count] = [0, 0]
  return (_, sentMs) => {
    const now = Math.floor(sentMs / 100)
    count = now === window ? count + 1 : 1
    window = now
    return { ms: afterMs, status: count > most ? 429 : 200 }
  }
}

const paths: [string, () => Promise<Seen>][] = [
  [
    'load',
    async () => {
      const { workers, stop, time, seen } = started(steady)
      const load = loadFor(1)
      const sending = sendLoad({ load, seed: 1, destination, workers, stop })
      const { result } = await time.during(sending)
      seen.push({ load, result })
      return seen
    }
  ],
  [
    'capacity',
    async () => {
      const { sender, time, seen, trial, common } = started(limited(30))
      const objective = { p99Us: 100_000, errorRatio: 0.001 }
      const options: CapacityOptions = {
        ...common,
        shape,
        objective,
        highest: 600,
        trial,
        onTrial() {}
      }
      await time.during(sender.open([destination]).then(() => searchCapacity(options)))
      return seen
    }
  ],
  [
    'soak',
    async () => {
      const { sender, time, seen, trial, common } = started(steady)
      const soaking = { ...common, trial, loadFor, fromSeconds: 0, seconds: 5, stretchSeconds: 1 }
      const figures = async () => undefined
      const work = () => soak({ ...soaking, figures, keep() {} })
      await time.during(sender.open([destination]).then(work))
      return seen
    }
  ],
  [
    'compare',
    async () => {
      const { sender, time, seen, trial, common } = started(steady)
      const arms = {
        renew: () => sender.open([destination]),
        pair: (first: Arm, load: Load) => oneByOne(first, async () => trialOf(await trial(load)))
      }
      const margins = { nothing: Math.log1p(0.01), budget: Math.log1p(0.05) }
      const given = { arms, loadFor, metric: 'p50' as const, margins, pairsPerBlock: 1 }
      await time.during(compare({ ...common, ...given, onProgress() {} }))
      return seen
    }
  ]
]

describe.each(paths)('by way of %s', (_, sent) => {
  test('health is of what is measured, warm-up counts for nothing, connections once', async () => {
    const seen = await sent()
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.some(({ load }) => load.phases.some(({ measured }) => !measured))).toBe(true)
    for (const [n, { load, result }] of seen.entries()) {
      const measuredMs = durationMs(load.phases) - measuredFrom(load.phases)
      const [{ wallMs }] = result.workers as [LoadResult['workers'][number]]
      expect(wallMs).toBeGreaterThanOrEqual(measuredMs - 1e-6)
      expect(wallMs).toBeLessThanOrEqual(measuredMs + afterMs + 1e-6)
      expect(requestsIn(result.tally)).toBe(measuredArrivals(load))
      expect(result.workers[0]!.lag.count).toBe(requestsIn(result.tally))
      const isFirst = n === 0
      expect(result.connections.opened).toBe(isFirst ? shape.connections : 0)
      expect(result.tally.connect.count).toBe(isFirst ? shape.connections : 0)
    }
  })
})

test('what one trial runs out of spoils that one, and none after it', async () => {
  const { sender, time, counts, trial } = started(steady)
  const work = async () => {
    await sender.open([destination])
    await trial(loadFor(1))
    counts.failed.exhausted = 1
    const spoilt = await trial(loadFor(1))
    return [spoilt, await trial(loadFor(1))]
  }
  const [spoilt, next] = await time.during(work())
  expect(spoilt!.health.reasons.join()).toMatch(/ran out of ports or descriptors 1 times/)
  expect(next!.connections.failed).toEqual({})
  expect(next!.health.reasons.join()).not.toMatch(/ran out/)
})
