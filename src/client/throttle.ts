import { type Caps, createMeter } from '../caps.ts'
import type { Clock } from '../clock.ts'

/**
 * Resolves when the next request may be sent: to whether it may be sent at all. Undefined where it
 * may be sent at once.
 */
export type Throttle = () => Promise<boolean> | undefined

/** Lets every request through at once. */
export const unthrottled: Throttle = () => undefined

/** Lets requests through at equal distances, at most so many a second; none are saved up. */
export function createThrottle(requestsPerSecond: number, clock: Clock): Throttle {
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const due = Math.max(next, clock.now())
    next = due + 1_000 / requestsPerSecond
    await clock.until(due)
    return true
  }
}

/**
 * Lets through what caps allow, counted together with all who send under the same ones, and nothing
 * once the time is up.
 */
export function createCapThrottle(caps: Caps, clock: Clock): Throttle {
  const meter = createMeter(caps)
  return async () => {
    while (!meter.take(clock.now())) {
      if (meter.isOver(clock.now())) return false
      await clock.until(meter.freeAt(clock.now()))
    }
    return true
  }
}

/** Lets through what one lets through, and then the other as well. */
export function inTurn(one: Throttle, other: Throttle): Throttle {
  if (one === unthrottled) return other
  if (other === unthrottled) return one
  return async () => (await one()) !== false && (await other()) !== false
}
