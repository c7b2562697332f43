import { type CapacityOptions, searchCapacity } from '../../src/engine/capacity-search.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import type { LoadResult } from '../../src/load/figures/result.ts'
import { durationMs, measuredFrom, type OpenLoad } from '../../src/load/load.ts'
import { noConnections } from '../../src/load/transports/transport.ts'
import type { RateTrial } from '../../src/verdict/rate-trial.ts'
import { type Law, simulate } from '../load/virtual.ts'
import { createVirtualClock } from './virtual-arms.ts'

/** What a simulated target makes of a load: how requests end, and when the last does. */
export type VirtualServer = (
  load: OpenLoad
) => Promise<Pick<LoadResult, 'tally' | 'begun' | 'unfinished'> & { toMs: number }>

/** A server as a law, with as many lanes as there are connections. */
export const lanes = (law: Law) => (): VirtualServer => async (load) => {
  let lastEnd = 0
  const { tally, begun, unfinished } = await simulate(load, (n, sentMs) => {
    const answer = law(n, sentMs)
    lastEnd = Math.max(lastEnd, sentMs + (typeof answer === 'number' ? answer : answer.ms))
    return answer
  })
  return { tally, begun, unfinished, toMs: lastEnd }
}

/** A search on a simulated target, in virtual time. */
export async function searching(
  serverFor: (now: () => number) => VirtualServer,
  { seconds = 60, ...changes }: Partial<CapacityOptions> & { seconds?: number } = {}
) {
  const clock = createVirtualClock()
  const trials: RateTrial[] = []
  const loads: OpenLoad[] = []
  const serve = serverFor(clock.now)
  const outcome = await searchCapacity({
    async trial(load) {
      loads.push(load)
      clock.pass(10)
      const { toMs, ...found } = await serve(load)
      const lastMs = Math.max(durationMs(load.phases), toMs)
      clock.pass(lastMs)
      return {
        ...{ model: 'open', workers: [], faults: {}, ...found },
        durationMs: lastMs - measuredFrom(load.phases),
        ...{ connections: noConnections(), health: { valid: true, reasons: [] } }
      }
    },
    shape: { connections: 4, pipelining: 1, timeoutMs: 5_000 },
    objective: { p99Us: 50_000, errorRatio: 0.001 },
    highest: 1e6,
    deadline: createDeadline(seconds, { clock }),
    seed: 1,
    clock,
    stopped: () => false,
    onTrial: (trial) => trials.push(trial),
    ...changes
  })
  return { outcome, trials, loads, ms: clock.now() }
}
