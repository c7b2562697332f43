/** Time as a value that can be passed in: milliseconds on a clock that never steps back. */
export type Clock = {
  /** Milliseconds since the epoch; never steps back, and all threads of a process agree on it. */
  now(): number
  /** Resolves once `now()` has reached `time`, or at once when the signal is aborted. */
  until(time: number, signal?: AbortSignal): Promise<void>
}

/** The longest a timer can wait. */
export const longestTimerMs = 2 ** 31 - 1

/** When this thread's time began; it is asked for with every request, and never changes. */
const { timeOrigin } = performance

/** The machine's own clock. */
export const clock: Clock = {
  now: () => timeOrigin + performance.now(),
  until(time, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.max(0, time - clock.now()))
      signal?.addEventListener('abort', done)
    })
  }
}
