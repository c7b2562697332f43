import { clock } from '../../clock.ts'
import { createDeadline, type Deadline, stopAt } from '../../engine/deadline.ts'
import { createStop, type Stop } from '../../engine/stop.ts'
import type { Route } from '../../route.ts'
import { onInterrupt } from '../interrupt.ts'
import { timeIsUp, watchAuthorisedTime } from './authorised-time.ts'

/** What a command may take, and what ends it: its deadline, leave that is up, or interruption. */
export type TimeGiven = {
  deadline: Deadline
  /** Requested by any of them. */
  stop: Stop
  isInterrupted(): boolean
  /** Listens to none any more, and tells of leave that ended something. */
  end(): void
}

/**
 * So many seconds for all that this process does, counted from when it was started, or from now
 * where it had to wait for others first, and no longer than there is leave to send over these
 * routes.
 */
export function timeGiven(
  seconds: number,
  options: {
    note: (text: string) => void
    routes?: readonly (Route | undefined)[]
    hasWaited?: boolean
  }
): TimeGiven {
  const { note, routes = [], hasWaited = false } = options
  const sinceMs = hasWaited ? clock.now() : performance.timeOrigin
  const deadline = createDeadline(seconds, { clock, sinceMs })
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => note('Stopping; Ctrl-C again ends at once.'))
  const leave = watchAuthorisedTime(routes, stop)
  const letGo = stopAt(deadline, stop)
  return {
    ...{ deadline, stop, isInterrupted: interrupt.happened },
    end() {
      letGo()
      interrupt.off()
      leave.off()
      if (leave.hasEnded()) note(timeIsUp)
    }
  }
}
