import type { Clock } from '../../../src/clock.ts'

/** A clock that stands still until it is moved, and then wakes everybody who is due. */
export function virtualClock() {
  let now = 0
  const waits = new Set<{ time: number; done: () => void }>()
  const clock: Clock = {
    now: () => now,
    until(time, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wait = {
          time,
          done() {
            waits.delete(wait)
            resolve()
          }
        }
        waits.add(wait)
        signal?.addEventListener('abort', wait.done, { once: true })
      })
    }
  }
  return {
    clock,
    /** How long until somebody is due, in milliseconds; Infinity when nobody waits. */
    nextMs: () => Math.min(...[...waits].map(({ time }) => time)) - now,
    /** Lets time pass, and what is due then happen. */
    async pass(ms: number) {
      now += ms
      for (const wait of [...waits]) if (wait.time <= now) wait.done()
      await settled()
    }
  }
}

/** Lets everything happen that is only promised, and waits for nothing else. */
export async function settled() {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
