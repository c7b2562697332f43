import type { Clock } from '../../src/clock.ts'

/** Time that passes when all that is going on waits for it. */
export function virtualClock(): Clock {
  let now = 0
  const waiting: { time: number; wake: () => void }[] = []
  const advance = () => {
    waiting.sort((one, other) => one.time - other.time)
    const next = waiting.shift()
    if (!next) return
    now = Math.max(now, next.time)
    next.wake()
  }
  return {
    now: () => now,
    until: (time) =>
      new Promise((wake) => {
        waiting.push({ time, wake })
        setImmediate(advance)
      })
  }
}
