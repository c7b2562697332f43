import { createRequire } from 'node:module'
import type { Live } from '../live/live.ts'

/** What a person sees while a command goes on: a moving line, and lines of their own between. */
export type Progress = {
  /** Tells how far it is. */
  show: (text: string) => void
  /** A line of its own, such as what Ctrl-C does next. */
  note: (text: string) => void
  /** Takes the moving line away until it is shown next. */
  clear: () => void
  /** Takes the moving line away. */
  end: () => void
}

/** Half of what a command takes to start goes for what only a terminal needs. */
const logUpdate = (): typeof import('log-update') => createRequire(import.meta.url)('log-update')

/** How often a page is told how far a command is. */
const pageMs = 250

/**
 * Progress on a stream: on a terminal a line that moves, at most every `liveMs`, elsewhere a line
 * every `plainMs`, the first after so long. With `silent` nothing is shown, and what is noted is.
 * A `page` is told the same, whatever is shown here.
 */
export function createProgress(options: {
  stream: NodeJS.WriteStream
  silent?: boolean
  liveMs?: number
  plainMs?: number
  page?: Pick<Live, 'tell'>
}): Progress {
  const { stream, silent = false, liveMs = 0, plainMs = 5_000, page } = options
  const live = stream.isTTY && !silent ? logUpdate().createLogUpdate(stream) : undefined
  const everyMs = live ? liveMs : plainMs
  let shownAt = live ? Number.NEGATIVE_INFINITY : performance.now()
  const note = (text: string) => {
    live?.clear()
    stream.write(`${text}\n`)
  }
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    show(text) {
      const now = performance.now()
      if (now - toldAt >= pageMs) {
        toldAt = now
        page?.tell({ t: 'progress', text: text.split('\n', 1)[0]!.trim() })
      }
      if (silent || now - shownAt < everyMs) return
      shownAt = now
      if (live) live(text)
      else note(text)
    },
    note(text) {
      page?.tell({ t: 'note', text })
      note(text)
    },
    clear: () => live?.clear(),
    end() {
      live?.clear()
      live?.done()
    }
  }
}
