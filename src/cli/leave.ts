import { createMeter } from '../caps.ts'
import { clock } from '../clock.ts'
import type { Stop } from '../engine/stop.ts'
import type { Route } from '../route.ts'

/** What is said when it ended something. */
export const timeIsUp = 'The time that was authorised is up.'

const lookEveryMs = 100

/** The time that was authorised, while something is sent. */
export type Leave = {
  /** Whether it is up. */
  isUp: () => boolean
  /** Looks no more. */
  off: () => void
}

/**
 * Asks to stop once the time that is authorised for one of these routes is up: so many seconds
 * after the first request, or the end of the last day. Nothing leaves after it either way.
 */
export function keepLeave(routes: readonly (Route | undefined)[], stop: Stop): Leave {
  const meters = routes.flatMap((route) => (route?.caps ? [createMeter(route.caps)] : []))
  const isUp = () => meters.some(({ isOver }) => isOver(clock.now()))
  const timer = setInterval(() => isUp() && stop.request(), lookEveryMs)
  return { isUp, off: () => clearInterval(timer) }
}
