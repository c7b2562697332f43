import type { DeployError } from '../contract.ts'
import { type SharedTurn, startup } from '../shared-turn.ts'
import { createGauge } from './gauge.ts'
import type { HostParts } from './host-parts.ts'
import type { HostedInvocation } from './invocation.ts'
import type { Invocations } from './invocations.ts'
import type { Offloads } from './offloads.ts'
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
  /** An invocation has given away bytes that wait here, in no memory of the guest's. */
  held(invocation: number): void
  /** The guest itself saw that it uses too much memory, because of this invocation. */
  full(seen: { invocation: number; bytes: number }): void
}

type Parts = HostParts & {
  invocations: Invocations
  offloads: Offloads
  /** Sends the guest a message that does nothing but wake it. */
  resume: () => void
}

/** Who has used too much, with what other threads have done for him. */
function overdrawn({ offloads, invocations }: Parts): HostedInvocation[] {
  offloads.settle()
  return invocations.all().filter(({ id, allowanceMs, usedUs }) => {
    const offloadedUs = offloads.usedUs(id)
    return offloadedUs > 0 && usedUs + offloadedUs > allowanceMs * 1_000
  })
}

/** Bytes of what was asked for and is not done, which wait in the host. */
const heldIn = ({ all }: Invocations) =>
  all().reduce((sum, { calls }) => sum + calls.heldBytes(), 0)

/** Tells what the owner of a turn has used so far, in microseconds. */
function usageOf({ load, invocations, offloads, thread }: Parts) {
  return ({ id, startUs, beforeUs }: ReturnType<SharedTurn['owner']>): number => {
    if (load.rules.cpuMeasure === 'wall' && id !== startup) return invocations.wallMs(id) * 1_000
    const turnUs = Math.max(0, thread.cpuUs() - startUs)
    // What runs in his turn may be another's: only what was settled is known to be his own.
    const seenUs = invocations.sawUs(id, beforeUs)
    if (load.rules.cpuMeasure === 'cpu of a turn') return turnUs
    return seenUs + turnUs + offloads.usedUs(id)
  }
}

/** Begins to enforce the limits on a guest. */
export function enforceLimits(parts: Parts): Enforcement {
  const { load, invocations, send, die, sharedTurn } = parts
  const { rules, spec } = load
  const { limits } = spec
  const heldBytes = () => heldIn(invocations)
  let [isCondemned, ends, memoryEndedMs] = [false, 0, -Infinity]
  const condemn = () => {
    if (!isCondemned) send({ t: 'condemned' })
    isCondemned = true
  }
  /** The next request must meet another instance, even before this one is cancelled. */
  const stopForMemory = (owner: number) => {
    memoryEndedMs = performance.now()
    condemn()
    invocations.stop(owner, 'exceededMemory')
  }
  const usedUs = usageOf(parts)
  const refuse = (error: DeployError, usedUs = 0) => die({ t: 'refused', error, usedUs })
  const refuseScope = (outcome: Over) => refuse(startErrors[outcome], usedUs(sharedTurn.owner()))
  const onOver = (owner: number, outcome: Over) => {
    if (owner === startup) return refuseScope(outcome)
    if (outcome === 'exceededMemory') stopForMemory(owner)
    else invocations.stop(owner, outcome)
  }
  const watchdog = createWatchdog({
    ...parts,
    limits,
    gauge: createGauge({ ...parts, limits, rules, heldBytes, onBytes: invocations.sawBytes }),
    budgetMs: (owner) => (owner === startup ? limits.startupMs : invocations.allowanceMs(owner)),
    usedUs,
    onOver,
    onStuck(owner, outcome) {
      if (owner === startup) refuseScope(outcome)
      else die({ t: 'dying', outcome, invocation: owner })
    },
    onLook() {
      for (const { id } of overdrawn(parts)) {
        // What other threads were given to do cannot be ended: it goes with the process.
        condemn()
        invocations.stop(id, 'exceededCpu')
      }
    },
    onCondemned: parts.resume,
    isOccupied: () => invocations.ids().length > 0,
    onEnded() {
      if (++ends >= mostEnds) condemn()
      parts.resume()
    }
  })
  const full: Enforcement['full'] = ({ invocation, bytes }) => {
    if (invocation === startup) return refuse(startErrors.exceededMemory)
    const isCooling = performance.now() - memoryEndedMs < cooldownMs
    if (!isCooling || bytes > 2 * limits.memoryBytes) stopForMemory(invocation)
  }
  return {
    ...watchdog,
    refuse,
    held(invocation) {
      const bytes = heldBytes()
      if (rules.buffersCount && bytes > limits.memoryBytes) full({ invocation, bytes })
    },
    full
  }
}
