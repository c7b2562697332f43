import { clock } from '../../clock.ts'
import type { Store } from './store.ts'

/** The platform's own time, which can be moved forward but never back. */
export type Time = {
  /** Whole milliseconds since the epoch. */
  now(): number
  /** Moves the time forward by milliseconds and returns the new time. */
  forward(ms: number): number
}

/** Opens the platform's time; how far it was moved is kept in the store. */
export function openTime(store: Store): Time {
  const aheadMs = () => store.first<{ ahead: number }>('SELECT ahead FROM clock')?.ahead ?? 0
  const now = () => Math.floor(clock.now() + aheadMs())
  return {
    now,
    forward(ms) {
      store.run('INSERT OR REPLACE INTO clock (one, ahead) VALUES (1, ?)', aheadMs() + ms)
      return now()
    }
  }
}

/** Milliseconds since the epoch as the document writes time: RFC 3339, UTC, with a fraction. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
