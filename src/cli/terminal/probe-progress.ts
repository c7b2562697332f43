import type { Deadline } from '../../engine/deadline.ts'
import type { Live } from '../live/live.ts'
import { timeText } from './elapsed.ts'
import { createLiveView } from './live-view.ts'

/** How a search for limits goes just now, on stderr; what it found goes to stdout. */
export type ProbeProgress = {
  /** From now on it is told how much of the time is over. */
  begin(deadline: Pick<Deadline, 'seconds' | 'leftMs'>): void
  /** What is asked now, or was last. */
  asks(text: string): void
  /** One of the things looked for has been found, as these lines say. */
  found(text: string): void
  /** A line of its own, such as what Ctrl-C does next; nothing where it is silent. */
  note(text: string): void
  end(): void
}

/** A view of a search for so many limits. */
export function createProbeProgress(options: {
  stream: NodeJS.WriteStream
  output: Pick<NodeJS.WriteStream, 'write'>
  silent: boolean
  of: number
  page?: Pick<Live, 'tell'>
}): ProbeProgress {
  const { stream, output, silent, of, page } = options
  let time = () => ''
  let now = 'how it is answered as usual'
  let done = 0
  const view = createLiveView({
    ...{ stream, silent, page },
    facts: () => [[time(), `${done} of ${of} found out`, `now ${now}`].filter(Boolean).join('   ')]
  })
  return {
    begin(deadline) {
      time = () => timeText(deadline)
    },
    asks(text) {
      now = text
      view.draw()
    },
    found(text) {
      done++
      page?.tell({ t: 'note', text: text.trim() })
      if (silent) return
      // On a terminal the moving line would stand in the midst of it.
      view.clear()
      output.write(`${text}\n`)
    },
    note(text) {
      if (silent) page?.tell({ t: 'note', text })
      else view.note(text)
    },
    end: view.end
  }
}
