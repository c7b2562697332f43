import type { Clock } from '../../clock.ts'
import type { Time } from '../kernel/time.ts'

/** The platform's time as a clock to wait by; `moved` is to be called when it was moved. */
export type VirtualClock = Clock & { moved(): void }

/** Waits as long as the platform's time says, however the machine's own goes on. */
export function virtualClock(time: Time): VirtualClock {
  const waiting = new Set<() => void>()
  return {
    now: time.now,
    until(at, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let timer: NodeJS.Timeout | undefined
      const done = () => {
        clearTimeout(timer)
        waiting.delete(look)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const look = () => {
        clearTimeout(timer)
        const leftMs = at - time.now()
        if (leftMs <= 0 || signal?.aborted) return done()
        timer = setTimeout(look, Math.min(leftMs, 2 ** 31 - 1))
      }
      waiting.add(look)
      signal?.addEventListener('abort', done)
      look()
      return promise
    },
    moved() {
      for (const look of [...waiting]) look()
    }
  }
}
