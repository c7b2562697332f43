import type { Clock } from '../../../../src/clock.ts'

/** A clock that moves only when it is told to. */
export function createVirtualClock(): Clock & { forward(ms: number): Promise<void> } {
  let now = 1_000_000
  const waiting = new Set<{ time: number; resolve: () => void }>()
  return {
    now: () => now,
    until: (time, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || time <= now) return resolve()
        const entry = { time, resolve }
        waiting.add(entry)
        signal?.addEventListener('abort', () => {
          waiting.delete(entry)
          resolve()
        })
      }),
    async forward(ms) {
      now += ms
      for (const entry of waiting) {
        if (entry.time > now) continue
        waiting.delete(entry)
        entry.resolve()
      }
      // What was waiting goes on before whoever moved the clock does.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
