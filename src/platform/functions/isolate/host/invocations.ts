import type { Outcome } from '../contract.ts'
import type {
  CallMessage,
  FromGuest,
  FromHost,
  LoadMessage,
  ToGuest,
  UsageMessage
} from '../message.ts'
import { type HostedInvocation, hostInvocation } from './invocation.ts'
import type { Offloads } from './offloads.ts'

/** The invocations of an instance: those that live, and those that still have to be accounted. */
export type Invocations = {
  begin(id: number, allowanceMs: number): void
  get(id: number): HostedInvocation | undefined
  ids(): number[]
  all(): HostedInvocation[]
  /** The invocation that made a call, while it lives. */
  ofCall(call: number): HostedInvocation | undefined
  call(message: CallMessage): void
  allowanceMs(id: number): number
  wallMs(id: number): number
  /** Takes down what one was seen to have used: it never becomes less. */
  sawUs(id: number, usedUs: number): number
  /** Takes down how much memory was seen in use. */
  sawBytes(bytes: number): void
  /** Forgets one, in the guest too. */
  drop(id: number): void
  /** Tells the platform how one ended, and forgets it. */
  stop(id: number, outcome: Outcome): void
  /** What one used in total: after that nothing is known of it. */
  spent(message: Extract<FromGuest, { t: 'spent' }>): void
}

/** Begins with nobody. */
export function createInvocations(parts: {
  load: LoadMessage
  offloads: Offloads
  trace: () => string | undefined
  send: (message: FromHost) => void
  toGuest: (message: ToGuest) => void
}): Invocations {
  const { load, offloads, send, toGuest } = parts
  const { rules, spec } = load
  const live = new Map<number, HostedInvocation>()
  const unaccounted = new Map<number, HostedInvocation>()
  const all = () => [...live.values()]
  const known = (id: number) => live.get(id) ?? unaccounted.get(id)

  const ofCall = (call: number) => [...live.values()].find(({ calls }) => calls.has(call))

  const drop = (id: number) => {
    const invocation = live.get(id)
    if (!invocation) return
    live.delete(id)
    unaccounted.set(id, invocation)
    invocation.close()
    toGuest({ t: 'drop', invocation: id })
  }
  return {
    begin(id, allowanceMs) {
      const { trace } = parts
      const given = {
        id,
        allowanceMs,
        limits: spec.limits,
        rules,
        trace,
        toPlatform: send,
        toGuest
      }
      live.set(id, hostInvocation(given))
    },
    get: (id) => live.get(id),
    ids: () => [...live.keys()],
    all,
    ofCall,
    call(message) {
      if (!ofCall(message.call)) live.get(message.invocation)?.calls.make(message)
    },
    allowanceMs: (id) => known(id)?.allowanceMs ?? 0,
    wallMs: (id) => performance.now() - (known(id)?.startedMs ?? performance.now()),
    sawUs(id, usedUs) {
      const seen = known(id) ?? { usedUs: 0 }
      seen.usedUs = atLeast(seen.usedUs, usedUs)
      return seen.usedUs
    },
    sawBytes(bytes) {
      for (const one of live.values()) one.peakBytes = Math.max(one.peakBytes, bytes)
    },
    drop,
    stop(id, outcome) {
      if (!live.has(id)) return
      send({ t: 'stopped', invocation: id, outcome })
      drop(id)
    },
    spent(message) {
      const invocation = unaccounted.get(message.invocation)
      const offloadedUs = offloads.leave(message.invocation)
      if (invocation) send(usageOf(invocation, { ...message, offloadedUs }))
      unaccounted.delete(message.invocation)
    }
  }
}

function usageOf(
  { id, calls, peakBytes, usedUs }: HostedInvocation,
  spent: Parameters<Invocations['spent']>[0] & { offloadedUs: number }
): UsageMessage {
  const { external: subrequests, internal: internalSubrequests } = calls.counts()
  const peakMemoryBytes = atLeast(peakBytes, spent.peakMemoryBytes)
  const counts = { subrequests, internalSubrequests }
  return {
    t: 'usage',
    invocation: id,
    cpuUs: atLeast(usedUs, spent.cpuUs) + Math.round(spent.offloadedUs),
    peakMemoryBytes,
    ...counts
  }
}

/** What the guest says, where that is a number and no less than what was seen from outside. */
function atLeast(seen: number, said: number): number {
  return Number.isFinite(said) ? Math.max(seen, said) : seen
}
