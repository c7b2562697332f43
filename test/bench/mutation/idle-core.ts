import { cpus } from 'node:os'
import { type Clock, clock as machineClock } from '../../../src/clock.ts'

/** How long a core has to have had little to do. */
const lookMs = 1_000

/** So much of a core's time counts as one that is idle. */
const enough = 0.7

/** Processor time of the whole machine that nobody took, in milliseconds. */
const machineIdleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)

/** Resolves to true once a core of the machine has been idle for a second, to false if `isOver`. */
export async function isCoreIdle(
  isOver: () => boolean,
  machine: { clock: Clock; idleMs: () => number } = { clock: machineClock, idleMs: machineIdleMs }
): Promise<boolean> {
  const { clock, idleMs } = machine
  while (!isOver()) {
    const [began, before] = [clock.now(), idleMs()]
    await clock.until(began + lookMs)
    if (idleMs() - before > enough * (clock.now() - began)) return !isOver()
  }
  return false
}
