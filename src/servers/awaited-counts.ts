import { EventEmitter, once } from 'node:events'
import { clock } from '../clock.ts'

/** Counts that can be waited for. */
export type AwaitedCounts<Counts> = {
  /** The counts as they are now. */
  seen(): Counts
  /** Changes them. */
  count(change: (counts: Counts) => void): void
  /** Whether this comes to be true before so many milliseconds are over. */
  until(isTrue: (counts: Counts) => boolean, timeoutMs: number): Promise<boolean>
}

/** A tally that begins with these counts. */
export function createAwaitedCounts<Counts extends object>(counts: Counts): AwaitedCounts<Counts> {
  const changes = new EventEmitter().setMaxListeners(0)
  return {
    seen: () => structuredClone(counts),
    count(change) {
      change(counts)
      changes.emit('change')
    },
    async until(isTrue, timeoutMs) {
      const end = new AbortController()
      const late = clock.until(clock.now() + timeoutMs, end.signal).then(() => end.abort())
      while (!isTrue(counts) && !end.signal.aborted) {
        await once(changes, 'change', { signal: end.signal }).catch(() => {})
      }
      end.abort()
      await late
      return isTrue(counts)
    }
  }
}
