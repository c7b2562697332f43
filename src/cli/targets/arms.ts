import type { Destination } from '../../engine/load-worker.ts'
import { type Arm, type Arms, Ended, oneByOne } from '../../engine/pairing.ts'
import type { Sender } from '../../engine/send-load.ts'
import { type Stop, Stopped } from '../../engine/stop.ts'
import type { LoadResult } from '../../load/figures/result.ts'
import type { Route } from '../../route.ts'
import { type Trial, trialOf } from '../../verdict/trial.ts'
import { Failure } from '../failure.ts'
import { type SpawnedServer, spawnServer } from './spawned-server.ts'

/** The two targets, and the commands that serve them where Plimsoll starts those itself. */
export type Sides = Record<Arm, { url: string; command?: string; route?: Route }>

const arms: readonly Arm[] = ['a', 'b']

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

/** Two targets as a comparison wants them. */
export type OwnArms = Arms & {
  /** Whether commands of a start that were to share a processor may run on others. */
  haveStrayed(): boolean
  /** Ends what was started for them. */
  close(): Promise<void>
}

/** The two targets of these sides, whose commands are started when they are to be made anew. */
export function createArms(options: {
  sides: Sides
  sender: Sender
  destinations: readonly Destination[]
  seed: number
  stop: Stop
  /** The processor that both commands of the next start are pinned to; absent where none are. */
  place?: (() => Promise<number>) | undefined
  /** How many send, each of them in turns of its own. */
  senders: number
}): OwnArms {
  const { sides, sender, destinations, seed, stop, place, senders } = options
  const services: Partial<Record<Arm, SpawnedServer>> = {}
  const stopAll = async () => {
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
  // Of several senders one would ask A while another asks B: on one processor both would wait.
  const areApart = senders === 1 || place === undefined
  let asked = 0
  let haveStrayed = false
  return {
    async renew() {
      await stopAll()
      const processor = await place?.()
      for (const arm of arms) {
        const { url, command, route } = sides[arm]
        if (command === undefined) continue
        services[arm] = await started(arm, command, { url, route, processor, stop: stop.signal })
      }
      // Who chooses its processors itself is let.
      const places = new Set(arms.flatMap((arm) => services[arm]?.places() ?? []))
      if (place !== undefined && places.size > 1) haveStrayed = true
      await sender.open(destinations)
    },
    async pair(first, load) {
      const next = () => seed + asked++
      if (load.model === 'closed' && areApart) {
        const phases = load.phases.map((one) => ({ ...one, seconds: 2 * one.seconds }))
        const both = { load: { ...load, phases }, seed: next() }
        const send = () => sender.inTurns([0, 1], both)
        const [a, b] = await measured(arms, send)
        return { a: a!, b: b! }
      }
      return oneByOne(first, async (arm) => {
        const send = async () => [await sender.trial(arms.indexOf(arm), { load, seed: next() })]
        return (await measured([arm], send))[0]!
      })
    },
    haveStrayed: () => haveStrayed,
    close: stopAll
  }
}
