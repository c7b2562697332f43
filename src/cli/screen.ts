import { createLogUpdate } from 'log-update'
import type { Unit } from '../engine/plan.ts'
import type { Question } from '../engine/worker.ts'
import { verdictLine } from '../report/terminal.ts'
import type { Verdict } from '../verdict/verdict.ts'

/** What a person sees while a run goes on. */
export type Screen = {
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
export const blank: Screen = {
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
export function createScreen({ units, stream, quiet, colour }: ScreenOptions): Screen {
  const live = stream.isTTY ? createLogUpdate(stream) : undefined
  const ready = new Map<Unit, readonly Verdict[]>()
  const running = new Map<string, string>()
  let next = 0

  const draw = () => {
    const now = [...running.values()].slice(0, 4).map((text) => `  … ${text}`)
    live?.([`  ${next} of ${units.length}`, ...now].join('\n'))
  }
  const print = (text: string) => {
    live?.clear()
    stream.write(`${text}\n`)
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
      if (isTold) for (const verdict of verdicts) print(verdictLine(verdict, { colour }))
      else ready.set(unit, verdicts)
      for (let front = ready.get(units[next]!); front; front = ready.get(units[next]!)) {
        next++
        for (const verdict of front) {
          if (!quiet || !well.has(verdict.outcome)) print(verdictLine(verdict, { colour }))
        }
      }
      draw()
    },
    note: print,
    end() {
      live?.clear()
      live?.done()
    }
  }
}
