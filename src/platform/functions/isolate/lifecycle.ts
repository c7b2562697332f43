import type { Clock } from '../../../clock.ts'
import type { IsolateLimits, Outcome } from './contract.ts'

/** How far an invocation has come, and when it is over. */
export type Lifecycle = {
  /** The answer has been given in full, or will never be; what `waitUntil` holds may go on. */
  ended(outcome: Outcome): void
  /** The client has left: all is cancelled, but for what `waitUntil` delays. */
  gone(): void
  /** So many promises handed to `waitUntil` have not settled. */
  waiting(promises: number): void
  /** Ends it now, whatever is under way. */
  stop(outcome: Outcome): void
}

/**
 * running → ended or gone → over. `finish` is called once, when everything about the invocation is
 * over: the clauses are those on duration, disconnection and the wait-until facility.
 */
export function createLifecycle(options: {
  clock: Clock
  limits: Pick<IsolateLimits, 'waitUntilMs'> & { durationMs?: number }
  finish: (outcome: Outcome) => void
}): Lifecycle {
  const { clock, limits, finish } = options
  const over = new AbortController()
  let closing: Outcome | undefined
  let promises = 0

  const stop = (outcome: Outcome) => {
    if (over.signal.aborted) return
    over.abort()
    finish(outcome)
  }
  const after = async (ms: number | undefined, outcome: Outcome) => {
    if (ms === undefined || ms === Infinity) return
    await clock.until(clock.now() + ms, over.signal)
    stop(outcome)
  }
  const close = (outcome: Outcome) => {
    if (closing !== undefined || over.signal.aborted) return
    closing = outcome
    if (promises === 0) return stop(outcome)
    void after(limits.waitUntilMs, outcome === 'ok' ? 'waitUntilTimeout' : outcome)
  }

  void after(limits.durationMs, 'exceededDuration')
  return {
    ended: close,
    gone: () => close('canceled'),
    waiting(count) {
      promises = count
      if (closing !== undefined && promises === 0) stop(closing)
    },
    stop
  }
}
