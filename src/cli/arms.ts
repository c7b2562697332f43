import type { Crew } from '../engine/crew.ts'
import type { Arm, Arms } from '../engine/pairing.ts'
import type { Route } from '../route.ts'
import { trialOf } from '../verdict/trial.ts'
import { type Service, startService } from './service.ts'

/** The two targets, and the commands that serve them where Plimsoll starts those itself. */
export type Sides = Record<Arm, { url: string; command?: string; route?: Route }>

const arms: readonly Arm[] = ['a', 'b']

/** Two targets as a comparison wants them; `close` ends what was started for them. */
export function createArms(options: {
  sides: Sides
  crew: Crew
  seed: number
}): Arms & { close(): Promise<void> } {
  const { sides, crew, seed } = options
  const services: Partial<Record<Arm, Service>> = {}
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
        if (command !== undefined) services[arm] = await startService(command, { url, route })
      }
      for (const target of arms.keys()) await crew.open(target)
    },
    async trial(arm, load) {
      const before = services[arm]?.usage()
      const result = await crew.trial(arms.indexOf(arm), { load, seed: seed + asked++ })
      const after = services[arm]?.usage()
      if (before === undefined || after === undefined) return trialOf(result)
      return trialOf(result, { cpuUs: after.cpuUs - before.cpuUs, rssBytes: after.rssBytes })
    },
    close: stopAll
  }
}
