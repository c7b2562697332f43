import { type Clock, longestTimerMs } from '../clock.ts'
import { createStop, type Stop } from './stop.ts'

/**
 * The moment by which all that a command does has to be over, its beginning and its end included.
 * Whoever plans looks at what is left; what is under way then is ended by a stop.
 */
export type Deadline = {
  /** The time that was given. */
  seconds: number
  /** Milliseconds that are left of it, on a clock that cannot be set; 0 once it has come. */
  leftMs(): number
}

/** A deadline so many seconds after `sinceMs` of the clock, by default from now. */
export function createDeadline(
  seconds: number,
  { clock, sinceMs = clock.now() }: { clock: Clock; sinceMs?: number }
): Deadline {
  const endMs = sinceMs + seconds * 1_000
  return { seconds, leftMs: () => Math.max(0, endMs - clock.now()) }
}

/** The part of a deadline that lasts so many seconds from now, or as long as there is. */
export function within(deadline: Deadline, seconds: number, clock: Clock): Deadline {
  const own = createDeadline(seconds, { clock })
  return { seconds, leftMs: () => Math.min(own.leftMs(), deadline.leftMs()) }
}

/** Requests the stop when the deadline comes; returns how to let go of it. */
export function stopAt(deadline: Deadline, stop: Stop): () => void {
  let timer: NodeJS.Timeout
  const look = () => {
    const leftMs = deadline.leftMs()
    if (leftMs === 0) return stop.request()
    timer = setTimeout(look, Math.min(Math.ceil(leftMs), longestTimerMs))
  }
  look()
  return () => clearTimeout(timer)
}

/** A stop that comes with that of the run, or when the deadline does; `letGo` ends it. */
export function ownStop(deadline: Deadline, { signal }: Stop): { own: Stop; letGo: () => void } {
  const own = createStop()
  if (signal.aborted) own.request()
  signal.addEventListener('abort', own.request)
  const release = stopAt(deadline, own)
  const letGo = () => {
    release()
    signal.removeEventListener('abort', own.request)
  }
  return { own, letGo }
}
