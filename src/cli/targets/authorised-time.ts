import { createMeter, returnMs } from '../../caps.ts'
import { clock } from '../../clock.ts'
import type { Stop } from '../../engine/stop.ts'
import type { Route } from '../../route.ts'

/** What is said when it ended something. */
export const timeIsUp = 'The time that was authorised is up.'

const lookEveryMs = 100

/** The time that was authorised, while something is sent. */
export type AuthorisedTime = {
  /** Whether it is up. */
  isUp: () => boolean
  /** Whether something was still under way then, and was asked to stop. */
  hasEnded: () => boolean
  /** Looks no more. */
  off: () => void
}

/**
 * Asks to stop once the time that is authorised for one of these routes is up: so many seconds
 * after the first request, or the end of the last day. Nothing leaves after it either way, and what
 * had left may come back.
 */
export function watchAuthorisedTime(
  routes: readonly (Route | undefined)[],
  stop: Stop
): AuthorisedTime {
  const meters = routes.flatMap((route) => (route?.caps ? [createMeter(route.caps)] : []))
  const isOverAt = (ms: number) => meters.some(({ isOver }) => isOver(ms))
  let hasEnded = false
  const timer = setInterval(() => {
    if (stop.requested() || !isOverAt(clock.now() - returnMs)) return
    hasEnded = true
    stop.request()
  }, lookEveryMs)
  // What went wrong meanwhile is no reason to stay.
  timer.unref()
  return {
    isUp: () => isOverAt(clock.now()),
    hasEnded: () => hasEnded,
    off: () => clearInterval(timer)
  }
}
