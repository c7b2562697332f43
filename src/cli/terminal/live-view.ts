import type { Live } from '../live/live.ts'
import { createProgress, type Progress } from './progress.ts'

/** What goes on just now, on a moving line, or one now and then where none can move. */
export type LiveView = Pick<Progress, 'note' | 'clear' | 'end'> & {
  /** Shows it now: something has changed. */
  draw(): void
}

/** How often what has not changed is shown anew, as time goes on. */
const tickMs = 1_000

/** How often a line is written where none can move. */
const plainMs = 10_000

/**
 * Shows what `facts` tells, which is a line and what else is asked for, as it changes and while
 * time goes on. Where lines cannot move there is the first line only.
 */
export function createLiveView(options: {
  stream: NodeJS.WriteStream
  silent?: boolean
  page?: Pick<Live, 'tell'>
  /** How often a line is written where none can move, in milliseconds. */
  everyMs?: number
  facts: () => readonly [line: string, ...more: string[]]
}): LiveView {
  const { stream, silent, page, everyMs = plainMs, facts } = options
  const { show, note, clear, end } = createProgress({
    ...{ stream, silent, page, liveMs: 100, plainMs: everyMs }
  })
  const draw = () => {
    const [line, ...more] = facts()
    show(stream.isTTY ? [line, ...more].join('\n') : line)
  }
  const ticking = setInterval(draw, tickMs)
  ticking.unref()
  return {
    draw,
    note,
    clear,
    end() {
      clearInterval(ticking)
      end()
    }
  }
}
