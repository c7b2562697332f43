import type { EventKind, IsolateLimits } from './isolate/contract.ts'
import type { FunctionLimits } from './limits.ts'
import { classOf, type FunctionPlan } from './plan.ts'

/** What a function on a plan may use. */
export function limitsOn(
  plan: FunctionPlan,
  limits: FunctionLimits,
  cpuMs?: number
): IsolateLimits {
  const paid = classOf(plan)
  const custom = (own: Record<EventKind, number>) =>
    Object.fromEntries(Object.keys(own).map((kind) => [kind, cpuMs])) as Record<EventKind, number>
  const planned = limits.cpuMs[plan]
  return {
    cpuMs: cpuMs === undefined ? planned : custom(planned),
    memoryBytes: limits.memoryBytes[plan],
    startupMs: limits.startupMs[paid],
    subrequests: limits.subrequests[plan],
    internalSubrequests: limits.internalSubrequests[plan],
    connections: limits.connections[paid],
    waitUntilMs: limits.waitUntilMs,
    durationMs: limits.durationMs[plan],
    consoleBytes: limits.consoleBytes
  }
}
