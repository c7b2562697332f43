import type { Question } from '../../engine/task.ts'
import type { Unit } from '../../engine/unit.ts'
import { countsText } from '../../report/legend.ts'
import { verdictLine } from '../../report/terminal.ts'
import type { OutcomeCounts } from '../../verdict/outcome.ts'
import type { Verdict } from '../../verdict/verdict.ts'
import type { Live } from '../live/live.ts'
import { elapsedText } from './elapsed.ts'
import { createLiveView } from './live-view.ts'

/** What a person sees while a run goes on. */
export type RunProgress = {
  started: (unit: Unit) => void
  asked: (question: Question) => void
  judged: (unit: Unit, verdicts: readonly Verdict[]) => void
  /** A line of its own, such as what Ctrl-C does next. */
  note: (text: string) => void
  /** Takes the moving part away. */
  end: () => void
}

type ScreenOptions = {
  units: readonly Unit[]
  stream: NodeJS.WriteStream
  /** Where it is told how far the run is, when the other is no terminal. */
  errors: NodeJS.WriteStream
  /** Prints only verdicts that are not well. */
  quiet: boolean
  colour: boolean
  /** Where it is shown as well. */
  page?: Pick<Live, 'tell'>
}

/** A screen that shows nothing, for runs whose output is for programs. */
export const blank: RunProgress = {
  started() {},
  asked() {},
  judged() {},
  note() {},
  end() {}
}

const well = new Set(['pass', 'observed', 'inapplicable'])

/** Of what is asked at the same time so much is shown. */
const mostShown = 4

/**
 * Verdicts as lines in plan order, whatever finished first, and how far the run is: how long it has
 * gone on, when it may end, what came of it so far and what is being asked now. On a terminal that
 * moves; elsewhere the verdicts are output, and it is a line beside them now and then.
 */
export function createRunProgress(options: ScreenOptions): RunProgress {
  const { units, stream, errors, quiet, colour, page } = options
  const ready = new Map<Unit, readonly Verdict[]>()
  const running = new Map<string, string>()
  const counts: OutcomeCounts = {}
  const began = performance.now()
  let done = 0
  let next = 0

  const facts = (): [string, ...string[]] => {
    const all = [...running.values()]
    const line = [
      elapsedText(performance.now() - began, { done, of: units.length }),
      `${done} of ${units.length} units`,
      ...(Object.keys(counts).length > 0 ? [countsText(counts)] : [])
    ].join('   ')
    if (stream.isTTY) return [`  ${line}`, ...all.slice(0, mostShown).map((now) => `  … ${now}`)]
    return [all.length > 0 ? `${line}   now ${all[0]}` : line]
  }
  const silent = quiet && !stream.isTTY
  const view = createLiveView({ stream: stream.isTTY ? stream : errors, silent, page, facts })
  // Lines of their own go where the verdicts do.
  const note = (text: string) => {
    if (stream.isTTY) view.note(text)
    else stream.write(`${text}\n`)
  }
  return {
    started(unit) {
      running.set(unit.scenario, `${unit.scenario} ${unit.key}`.trim())
      view.draw()
    },
    asked({ scenario, variant, asked }) {
      const way = variant === '' ? '' : ` (${variant})`
      running.set(scenario, `${scenario}${way}: ${asked.value} → ${asked.because}`)
      view.draw()
    },
    judged(unit, verdicts) {
      running.delete(unit.scenario)
      // What went wrong with one that has been told of already is told at once.
      const isTold = units.indexOf(unit) < next
      if (isTold) for (const verdict of verdicts) note(verdictLine(verdict, { colour }))
      else ready.set(unit, verdicts)
      if (!isTold) done++
      for (const { outcome } of verdicts) counts[outcome] = (counts[outcome] ?? 0) + 1
      for (let front = ready.get(units[next]!); front; front = ready.get(units[next]!)) {
        next++
        for (const verdict of front) {
          if (!quiet || !well.has(verdict.outcome)) note(verdictLine(verdict, { colour }))
        }
      }
      view.draw()
    },
    note,
    end: view.end
  }
}
