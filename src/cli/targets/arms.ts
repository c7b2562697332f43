import type { Destination } from '../../engine/load-worker.ts'
import { type Arm, type Arms, Ended } from '../../engine/pairing.ts'
import type { Sender } from '../../engine/send-load.ts'
import { type Stop, Stopped } from '../../engine/stop.ts'
import type { Route } from '../../route.ts'
import { trialOf } from '../../verdict/trial.ts'
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

/** Two targets as a comparison wants them; `close` ends what was started for them. */
export function createArms(options: {
  sides: Sides
  sender: Sender
  destinations: readonly Destination[]
  seed: number
  stop: Stop
}): Arms & { close(): Promise<void> } {
  const { sides, sender, destinations, seed, stop } = options
  const services: Partial<Record<Arm, SpawnedServer>> = {}
  const stopAll = async () => {
    await Promise.all(arms.map((arm) => services[arm]?.stop()))
    for (const arm of arms) delete services[arm]
  }
  let asked = 0
  return {
    async renew() {
      await stopAll()
      for (const arm of arms) {
        const { url, command, route } = sides[arm]
        if (command === undefined) continue
        services[arm] = await started(arm, command, { url, route, stop: stop.signal })
      }
      await sender.open(destinations)
    },
    async trial(arm, load) {
      const before = services[arm]?.usage()
      const result = await sender.trial(arms.indexOf(arm), { load, seed: seed + asked++ })
      const after = services[arm]?.usage()
      if (before === undefined || after === undefined) return trialOf(result)
      return trialOf(result, { cpuUs: after.cpuUs - before.cpuUs, rssBytes: after.rssBytes })
    },
    close: stopAll
  }
}
