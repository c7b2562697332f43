/** A request to stop that every thread can see at once: set by one, read by all, never unset. */
export type Stop = {
  buffer: SharedArrayBuffer
  request: () => void
  requested: () => boolean
  /** Aborted by a request of this thread's own. */
  signal: AbortSignal
}

/** A new stop, or the one behind a buffer that came from another thread. */
export function createStop(buffer = new SharedArrayBuffer(4)): Stop {
  const flag = new Int32Array(buffer)
  const own = new AbortController()
  return {
    buffer,
    request() {
      Atomics.store(flag, 0, 1)
      own.abort()
    },
    requested: () => Atomics.load(flag, 0) === 1,
    signal: own.signal
  }
}

/** What was under way when a stop was requested, and brought nothing home in the time left. */
export class Stopped extends Error {}

/** Lets a stop pass, as nothing, and throws whatever else went wrong. */
export function unlessStopped(cause: unknown): undefined {
  if (!(cause instanceof Stopped)) throw cause
}
