import type { DeployError } from '../contract.ts'
import { startup } from '../ledger.ts'
import type { ToGuest } from '../message.ts'
import { createGauge } from './gauge.ts'
import type { HostParts } from './host.ts'
import type { HostedInvocation } from './invocation.ts'
import type { Pool } from './pool.ts'
import type { Roster } from './roster.ts'
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
export type Custody = {
  kick(): void
  /** Whether there are messages that the guest has not taken. */
  isBehind(): boolean
  refuse(error: DeployError): void
  /** An invocation has given away bytes that wait here, in no memory of the guest's. */
  held(invocation: number): void
  /** The guest itself saw that it uses too much memory, because of this invocation. */
  full(seen: { invocation: number; bytes: number }): void
}

/** Who has used too much, with what other threads have done for him. */
function overdrawn({ pool, roster }: { pool: Pool; roster: Roster }): HostedInvocation[] {
  pool.settle()
  return roster.all().filter(({ id, allowanceMs, usedUs }) => {
    const offloadedUs = pool.usedUs(id)
    return offloadedUs > 0 && usedUs + offloadedUs > allowanceMs * 1_000
  })
}

/** Bytes of what was asked for and is not done, which wait in the host. */
const heldIn = ({ all }: Roster) => all().reduce((sum, { calls }) => sum + calls.heldBytes(), 0)

/** Takes a guest into custody. */
export function takeCustody(
  parts: HostParts & { roster: Roster; pool: Pool; toGuest: (message: ToGuest) => void }
): Custody {
  const { load, roster, send, die, thread } = parts
  const { rules, spec } = load
  const { limits } = spec
  const heldBytes = () => heldIn(roster)
  let [isCondemned, ends, memoryEndedMs] = [false, 0, -Infinity]
  const condemn = () => {
    if (!isCondemned) send({ t: 'condemned' })
    isCondemned = true
  }
  const refuse = (error: DeployError) => die({ t: 'refused', error })
  /** The next request must meet another instance, even before this one is cancelled. */
  const stopForMemory = (owner: number) => {
    memoryEndedMs = performance.now()
    condemn()
    const victims = rules.memoryVictims === 'all' ? roster.ids() : [owner]
    for (const id of victims) roster.stop(id, 'exceededMemory')
  }
  const onOver = (owner: number, outcome: Over) => {
    if (owner === startup) return refuse(startErrors[outcome])
    if (outcome === 'exceededMemory') stopForMemory(owner)
    else roster.stop(owner, outcome)
  }
  const watchdog = createWatchdog({
    ...parts,
    limits,
    gauge: createGauge({ ...parts, limits, rules, heldBytes, onBytes: roster.sawBytes }),
    budgetMs: (owner) => (owner === startup ? limits.startupMs : roster.allowanceMs(owner)),
    usedUs({ id, startUs, beforeUs }) {
      if (rules.cpuMeasure === 'wall' && id !== startup) return roster.wallMs(id) * 1_000
      // What runs in his turn may be another's: only what was settled is known to be his own.
      const ownUs = roster.sawUs(id, beforeUs) + Math.max(0, thread.cpuUs() - startUs)
      return ownUs + parts.pool.usedUs(id)
    },
    onOver,
    onStuck(owner, outcome) {
      if (owner === startup) refuse(startErrors[outcome])
      else die({ t: 'dying', outcome, invocation: owner })
    },
    onLook() {
      for (const { id } of overdrawn(parts)) {
        // What other threads were given to do cannot be ended: it goes with the process.
        condemn()
        roster.stop(id, 'exceededCpu')
      }
    },
    isOccupied: () => roster.ids().length > 0,
    onEnded() {
      if (++ends >= mostEnds) condemn()
      parts.toGuest({ t: 'resume' })
    }
  })
  const full: Custody['full'] = ({ invocation, bytes }) => {
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
