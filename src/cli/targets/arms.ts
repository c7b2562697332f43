import type { Destination } from '../../engine/load-worker.ts'
import { type Arm, type Arms, Ended, oneByOne } from '../../engine/pairing.ts'
import type { Sender } from '../../engine/send-load.ts'
import { type Stop, Stopped } from '../../engine/stop.ts'
import type { LoadResult } from '../../load/figures/result.ts'
import type { Load } from '../../load/load.ts'
import { type Random, random, shuffled } from '../../random.ts'
import type { Route } from '../../route.ts'
import { type Pair, type Trial, trialOf } from '../../verdict/trial.ts'
import { Failure } from '../failure.ts'
import type { Placement } from './placement.ts'
import { type SpawnedServer, spawnServer } from './spawned-server.ts'

/** The two targets, and the commands that serve them where Plimsoll starts those itself. */
export type Sides = Record<Arm, { url: string; command?: string; route?: Route }>

const arms: readonly Arm[] = ['a', 'b']

/**
 * Who is started first: of two starts each is once, and a toss says when. Where a start leaves
 * something to the next one, as a lock or a full cache, that is neither's.
 */
function createTurns(next: Random): () => readonly Arm[] {
  const left: (readonly Arm[])[] = []
  return () => {
    if (left.length === 0) left.push(...shuffled([arms, arms.toReversed()], next))
    return left.pop()!
  }
}

/** A service that does not come up ends the comparison, and not what was measured before. */
async function started(arm: Arm, ...given: Parameters<typeof spawnServer>): Promise<SpawnedServer> {
  const named = ({ message }: Error) => `${arm.toUpperCase()}: ${message}`
  try {
    return await spawnServer(...given)
  } catch (cause) {
    if (cause instanceof Failure) throw new Ended('blocked', named(cause))
    throw cause instanceof Stopped ? new Stopped(named(cause)) : cause
  }
}

/** Two targets as a comparison wants them; `close` ends what was started for them. */
export function createArms(options: {
  sides: Sides
  sender: Sender
  destinations: readonly Destination[]
  seed: number
  stop: Stop
  placement: Placement
  /** How many send, each of them in turns of its own. */
  senders: number
}): Arms & { close(): Promise<void> } {
  const { sides, sender, destinations, seed, stop, placement, senders } = options
  const services: Partial<Record<Arm, SpawnedServer>> = {}
  const stopAll = async () => {
    placement.end()
    // A server of one connection at a time would otherwise wait for one of ours that comes back.
    await sender.close()
    await Promise.all(arms.map((arm) => services[arm]?.stop()))
    for (const arm of arms) delete services[arm]
  }
  /** Has these be asked, and adds what the processes of ours spent on it. */
  const measured = async (asked: readonly Arm[], send: () => Promise<LoadResult[]>) => {
    const before = asked.map((arm) => services[arm]?.usage())
    const results = await send()
    // Of turns, who was held up by another that does not answer was not asked for that reason.
    const begun = results.reduce((sum, result) => sum + result.begun, 0)
    return results.map((own, at): Trial => {
      const result = { ...own, begun }
      const [from, to] = [before[at], services[asked[at]!]?.usage()]
      if (from === undefined || to === undefined) return trialOf(result)
      const [cpuUs, waitUs] = [to.cpuUs - from.cpuUs, to.waitUs - from.waitUs]
      return trialOf(result, { cpuUs, waitUs, rssBytes: to.rssBytes })
    })
  }
  const turn = createTurns(random(seed, 'starts'))
  let asked = 0
  const taken = async (first: Arm, load: Load): Promise<Pair> => {
    const next = () => seed + asked++
    // Of several senders one would ask A while another asks B: on one processor both would wait.
    if (load.model === 'closed' && (senders === 1 || placement.ranOn().placed !== 'one')) {
      const phases = load.phases.map((one) => ({ ...one, seconds: 2 * one.seconds }))
      const both = { load: { ...load, phases }, seed: next() }
      const [a, b] = await measured(arms, () => sender.inTurns([0, 1], both))
      return { a: a!, b: b! }
    }
    const tookMs = { a: 0, b: 0 }
    const pair = await oneByOne(first, async (arm) => {
      const from = performance.now()
      const send = async () => [await sender.trial(arms.indexOf(arm), { load, seed: next() })]
      const [trial] = await measured([arm], send)
      tookMs[arm] = performance.now() - from
      return trial!
    })
    return { ...pair, tookMs }
  }
  return {
    async renew() {
      await stopAll()
      await placement.choose()
      for (const arm of turn()) {
        const { url, command, route } = sides[arm]
        if (command === undefined) continue
        services[arm] = await started(arm, command, { url, route, stop: stop.signal })
      }
      placement.begin(arms.flatMap((arm) => services[arm] ?? []))
      await sender.open(destinations)
    },
    settle: () => placement.settle(),
    async pair(first, load) {
      const pair = await taken(first, load)
      placement.see(pair)
      return pair
    },
    close: stopAll
  }
}
