import { createMeter } from '../../caps.ts'
import type { TransportOptions } from './transport.ts'

/** A load has its own pacer, and makes up for what it was late by: at most for so much of it. */
export const slackMs = 100

/** How soon it is looked again whether more may be sent; threads take the same chances in turn. */
const lookAgainMs = 1

/** Lets requests leave as caps allow. */
export type CapGuard = {
  /** Whether a request may leave now, which it then has to. */
  mayLeave(): boolean
  /** Says that what waits does so for a place, and not for leave. */
  isFree(): undefined
  /** Whether what waits does so for leave. */
  isHeld(): boolean
  close(): void
}

/**
 * What lets requests leave as caps allow; `again` is called when more of them may. Without caps
 * everything may leave at once.
 */
export function createCapGuard(
  { route: { caps }, clock }: Pick<TransportOptions, 'route' | 'clock'>,
  again: () => void
): CapGuard {
  const meter = caps && createMeter(caps)
  let timer: NodeJS.Timeout | undefined
  let isHeld = false
  return {
    mayLeave(): boolean {
      if (meter === undefined) return true
      isHeld = !meter.take(clock.now(), slackMs)
      if (!isHeld || timer !== undefined) return !isHeld
      const free = meter.freeAt(clock.now(), slackMs)
      if (free === Infinity) return false
      const wait = Math.max(lookAgainMs, free - clock.now())
      timer = setTimeout(() => {
        timer = undefined
        again()
      }, wait)
      return false
    },
    isFree() {
      isHeld = false
      return undefined
    },
    isHeld: () => isHeld,
    close: () => clearTimeout(timer)
  }
}
