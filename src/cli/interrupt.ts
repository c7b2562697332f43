import type { Stop } from '../engine/stop.ts'
import { exit } from './failure.ts'

/** One Ctrl-C may arrive twice, from the terminal and through a parent; later is a second one. */
const sameMs = 300

/**
 * The first Ctrl-C (or SIGTERM, or SIGHUP) asks to stop, so that what was measured is saved; the
 * second ends the process at once. Returns whether there was one, and how to listen no more.
 */
export function onInterrupt(
  stop: Stop,
  tell: () => void
): { happened: () => boolean; off: () => void } {
  let firstAt: number | undefined
  const heard = () => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      stop.request()
      tell()
    } else if (performance.now() - firstAt > sameMs) {
      process.exit(exit.interrupted)
    }
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, heard)
  return {
    happened: () => firstAt !== undefined,
    off: () => {
      for (const signal of signals) process.off(signal, heard)
    }
  }
}
