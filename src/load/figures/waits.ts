import { type Sample, unansweredEndings, wasSent } from './sample.ts'

/** Waiting is told by stretches this long. */
export const cellMs = 250

/**
 * Counts requests that wait for an answer which never comes. Few of them are silent for all of
 * their time, and no share of all requests tells that: who is answered asks on meanwhile.
 */
export type Waits = {
  begin(due: number): void
  end(sample: Pick<Sample, 'ending' | 'due' | 'sent' | 'end'>): void
  /**
   * How many waited so, in each cell on the average, until then. More that are under way than
   * there are `places` for may wait for a place, and none of what is under way is counted.
   */
  unanswered(untilMs: number, places: number): number[]
}

function add(cells: number[], at: number, more: number): void {
  while (cells.length <= at) cells.push(0)
  cells[at]! += more
}

const cellAt = (ms: number) => Math.max(0, Math.floor(ms / cellMs))

/** Counts of a load that has not begun. */
export function createWaits(): Waits {
  /** Requests due in each cell that have not ended. */
  const open: number[] = []
  /** How long in each cell those waited that ended without an answer. */
  const waitedMs: number[] = []
  return {
    begin: (due) => add(open, cellAt(due), 1),
    end(sample) {
      const { ending, due, sent, end } = sample
      add(open, cellAt(due), -1)
      if (ending === 'answered' || !unansweredEndings.includes(ending)) return
      // Who waits for a place is not kept waiting by the one that was asked.
      if (!wasSent(sample)) return
      for (let at = cellAt(sent); at * cellMs < end; at++) {
        add(waitedMs, at, Math.min(end, (at + 1) * cellMs) - Math.max(sent, at * cellMs))
      }
    },
    unanswered(untilMs, places) {
      const all = open.reduce((sum, count) => sum + count, 0)
      let waiting = 0
      return Array.from({ length: Math.floor(untilMs / cellMs) }, (_, at) => {
        const mean = waiting + (waitedMs[at] ?? 0) / cellMs
        // Of those that are due in a cell it is counted from the next one on.
        if (all <= places) waiting += open[at] ?? 0
        return mean
      })
    }
  }
}

/** What several parts of a load counted, as one. */
export function sumOfWaits(parts: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...parts.map((part) => part.length))
  return Array.from({ length }, (_, at) => parts.reduce((sum, part) => sum + (part[at] ?? 0), 0))
}
