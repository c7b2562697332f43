import { createLogUpdate } from 'log-update'

/** What a person sees while a command goes on: a moving line, and lines of their own between. */
export type Progress = {
  /** Tells how far it is. */
  show: (text: string) => void
  /** A line of its own, such as what Ctrl-C does next. */
  note: (text: string) => void
  /** Takes the moving line away. */
  end: () => void
}

/**
 * Progress on a stream: on a terminal a line that moves, at most every `liveMs`, elsewhere a line
 * every `plainMs`, the first after so long. With `silent` nothing is shown, and what is noted is.
 */
export function createProgress(options: {
  stream: NodeJS.WriteStream
  silent?: boolean
  liveMs?: number
  plainMs?: number
}): Progress {
  const { stream, silent = false, liveMs = 0, plainMs = 5_000 } = options
  const live = stream.isTTY && !silent ? createLogUpdate(stream) : undefined
  const everyMs = live ? liveMs : plainMs
  let shownAt = live ? Number.NEGATIVE_INFINITY : performance.now()
  const note = (text: string) => {
    live?.clear()
    stream.write(`${text}\n`)
  }
  return {
    show(text) {
      const now = performance.now()
      if (silent || now - shownAt < everyMs) return
      shownAt = now
      if (live) live(text)
      else note(text)
    },
    note,
    end() {
      live?.clear()
      live?.done()
    }
  }
}
