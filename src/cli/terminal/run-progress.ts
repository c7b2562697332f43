import type { Question } from '../../engine/task.ts'
import type { Unit } from '../../engine/unit.ts'
import { verdictLine } from '../../report/terminal.ts'
import type { Verdict } from '../../verdict/verdict.ts'
import { createProgress } from './progress.ts'

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
  /** Prints only verdicts that are not well. */
  quiet: boolean
  colour: boolean
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

/**
 * Verdicts as lines in plan order, whatever finished first; on a terminal also a moving line that
 * says what is being asked now.
 */
export function createRunProgress({ units, stream, quiet, colour }: ScreenOptions): RunProgress {
  // Where nothing can move, the verdicts are all there is to tell.
  const { show, note, end } = createProgress({ stream, plainMs: Number.POSITIVE_INFINITY })
  const ready = new Map<Unit, readonly Verdict[]>()
  const running = new Map<string, string>()
  let next = 0

  const draw = () => {
    const now = [...running.values()].slice(0, 4).map((text) => `  … ${text}`)
    show([`  ${next} of ${units.length}`, ...now].join('\n'))
  }
  return {
    started(unit) {
      running.set(unit.scenario, `${unit.scenario} ${unit.key}`)
      draw()
    },
    asked({ scenario, variant, asked }) {
      const way = variant === '' ? '' : ` (${variant})`
      running.set(scenario, `${scenario}${way}: ${asked.value} → ${asked.because}`)
      draw()
    },
    judged(unit, verdicts) {
      running.delete(unit.scenario)
      // What went wrong with one that has been told of already is told at once.
      const isTold = units.indexOf(unit) < next
      if (isTold) for (const verdict of verdicts) note(verdictLine(verdict, { colour }))
      else ready.set(unit, verdicts)
      for (let front = ready.get(units[next]!); front; front = ready.get(units[next]!)) {
        next++
        for (const verdict of front) {
          if (!quiet || !well.has(verdict.outcome)) note(verdictLine(verdict, { colour }))
        }
      }
      draw()
    },
    note,
    end
  }
}
