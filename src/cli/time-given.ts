import { clock } from '../clock.ts'
import { createDeadline, type Deadline, stopAt } from '../engine/deadline.ts'
import { createStop, type Stop } from '../engine/stop.ts'
import { onInterrupt } from './interrupt.ts'

/** What a command may take, and what ends it: its deadline, or whoever interrupts it before. */
export type TimeGiven = {
  deadline: Deadline
  /** Requested by either. */
  stop: Stop
  isInterrupted(): boolean
  /** Listens to neither any more. */
  end(): void
}

/** So many seconds for all that this process does, counted from when it was started. */
export function timeGiven(seconds: number, note: (text: string) => void): TimeGiven {
  const deadline = createDeadline(seconds, { clock, sinceMs: performance.timeOrigin })
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => note('Stopping; Ctrl-C again ends at once.'))
  const letGo = stopAt(deadline, stop)
  return {
    ...{ deadline, stop, isInterrupted: interrupt.happened },
    end() {
      letGo()
      interrupt.off()
    }
  }
}
