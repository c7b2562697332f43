import type { DeployError } from '../contract.ts'
import type { ToGuest } from '../message.ts'
import { startup } from '../shared-turn.ts'
import { createGauge } from './gauge.ts'
import type { HostParts } from './host.ts'
import type { Invocations } from './invocations.ts'
import { createWatchdog, type Over } from './watchdog.ts'

/** After a cancellation memory takes this long to be free, unless there is far too little of it. */
const cooldownMs = 300

/** An instance whose turns were ended so often from outside is not trusted with new requests. */
const mostEnds = 3

const startErrors = {
  exceededCpu: { kind: 'startup-cpu', message: 'Script startup exceeded CPU time limit.' },
  exceededMemory: { kind: 'startup-memory', message: 'Script startup exceeded memory limit.' }
} as const

/** What is done about a guest that goes too far. */
export type Enforcement = {
  kick(): void
  /** Whether there are messages that the guest has not taken. */
  isBehind(): boolean
  refuse(error: DeployError): void
  /** The guest itself saw that it uses too much memory, because of this invocation. */
  full(seen: { invocation: number; bytes: number }): void
}

/** Begins to enforce the limits on a guest. */
export function enforceLimits(
  parts: HostParts & { invocations: Invocations; toGuest: (message: ToGuest) => void }
): Enforcement {
  const { load, invocations, send, die, thread } = parts
  const { rules, spec } = load
  const { limits } = spec
  let isCondemned = false
  let ends = 0
  let memoryEndedMs = -Infinity
  const condemn = () => {
    if (!isCondemned) send({ t: 'condemned' })
    isCondemned = true
  }
  const refuse = (error: DeployError) => die({ t: 'refused', error })
  /** The next request must meet another instance, even before this one is cancelled. */
  const stopForMemory = (owner: number) => {
    memoryEndedMs = performance.now()
    condemn()
    const victims = rules.memoryVictims === 'all' ? invocations.ids() : [owner]
    for (const id of victims) invocations.stop(id, 'exceededMemory')
  }
  const onOver = (owner: number, outcome: Over) => {
    if (owner === startup) return refuse(startErrors[outcome])
    if (outcome === 'exceededMemory') stopForMemory(owner)
    else invocations.stop(owner, outcome)
  }
  const watchdog = createWatchdog({
    ...parts,
    limits,
    gauge: createGauge({ ...parts, limits, rules, onBytes: invocations.sawBytes }),
    budgetMs: (owner) => (owner === startup ? limits.startupMs : invocations.allowanceMs(owner)),
    usedUs({ id, startUs, beforeUs }) {
      if (rules.cpuMeasure === 'wall' && id !== startup) return invocations.wallMs(id) * 1_000
      // What runs in his turn may be another's: only what was settled is known to be his own.
      return invocations.sawUs(id, beforeUs) + Math.max(0, thread.cpuUs() - startUs)
    },
    onOver,
    onStuck(owner, outcome) {
      if (owner === startup) refuse(startErrors[outcome])
      else die({ t: 'dying', outcome, invocation: owner })
    },
    isOccupied: () => invocations.ids().length > 0,
    onEnded() {
      if (++ends >= mostEnds) condemn()
      parts.toGuest({ t: 'resume' })
    }
  })
  return {
    kick: watchdog.kick,
    isBehind: watchdog.isBehind,
    refuse,
    full({ invocation, bytes }) {
      if (invocation === startup) return refuse(startErrors.exceededMemory)
      const isCooling = performance.now() - memoryEndedMs < cooldownMs
      if (!isCooling || bytes > 2 * limits.memoryBytes) stopForMemory(invocation)
    }
  }
}
