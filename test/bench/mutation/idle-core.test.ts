import { expect, test } from 'vitest'
import { isCoreIdle } from './idle-core.ts'

/** A machine whose every second has so much idle time of a core, the last one again and again. */
function machineOf(...idle: number[]) {
  let [now, idleMs] = [0, 0]
  return {
    idleMs: () => idleMs,
    clock: {
      now: () => now,
      async until(time: number) {
        const share = (idle.length > 1 ? idle.shift() : idle[0])!
        idleMs += share * (time - now)
        now = time
      }
    }
  }
}

test('a core is idle once all of them together have a whole one to spare', async () => {
  const machine = machineOf(0, 0.5, 0.6, 1.2)
  expect(await isCoreIdle(() => false, machine)).toBe(true)
  expect(machine.clock.now()).toBe(4_000)
})

test('nobody waits for one, or is let in, when there is nothing left to do', async () => {
  const busy = machineOf(0.1)
  expect(await isCoreIdle(() => busy.clock.now() >= 3_000, busy)).toBe(false)
  expect(busy.clock.now()).toBe(3_000)
  const late = machineOf(1)
  expect(await isCoreIdle(() => late.clock.now() > 0, late)).toBe(false)
})
