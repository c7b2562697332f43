import { setTimeout as pause } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { type Confined, guard, type Leftover } from './confine.ts'
import { beating, type Pulse } from './pulse.ts'

/** The first thing of each scenario that threw after it had ended. */
const leftovers = new Map<string, Leftover>()

guard((leftover) => {
  // A timer that throws does so again and again.
  if (leftovers.has(leftover.scenario)) return
  leftovers.set(leftover.scenario, leftover)
  parentPort?.postMessage(leftover)
})

/** What a thread is handed to meet all others. */
type Meeting = { pulse: Pulse; arrived: SharedArrayBuffer; workers: number }

/** Waits until as many threads have come here as there are, so that none was asked twice. */
async function met(call: Meeting): Promise<void> {
  const arrived = new Int32Array(call.arrived)
  let here = Atomics.add(arrived, 0, 1) + 1
  Atomics.notify(arrived, 0)
  // Who looked again and again would take a core from those who are still to come.
  for (; here < call.workers; here = Atomics.load(arrived, 0))
    await Atomics.waitAsync(arrived, 0, here).value
}

/** How long is waited for what scenarios left behind; what comes later finds no thread. */
const settlingMs = 1_000

const isPending = () => process.getActiveResourcesInfo().some((kind) => kind === 'Timeout')

/** Waits, on every thread, for timers that scenarios left behind; says which of them threw. */
export function settle(call: Meeting): Promise<Confined<Leftover[]>> {
  return beating(call.pulse, async () => {
    await met(call)
    const until = performance.now() + settlingMs
    while (isPending() && performance.now() < until) await pause(20)
    return { ok: [...leftovers.values()] }
  })
}
