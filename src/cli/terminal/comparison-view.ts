import type { ComparisonProgress } from '../../engine/comparison-run.ts'
import type { Deadline } from '../../engine/deadline.ts'
import { change, changes } from '../../report/quantity.ts'
import { runningRatio } from '../../verdict/judge-pair.ts'
import type { Live } from '../live/live.ts'
import { pacedText, planText } from './comparison-text.ts'
import { timeText } from './elapsed.ts'
import { createLiveView, type LiveView } from './live-view.ts'

/** How a comparison goes just now, on stderr. */
export type ComparisonView = Pick<LiveView, 'note' | 'end'> & {
  /** From now on it is told how much of the time is over. */
  begin(deadline: Pick<Deadline, 'seconds' | 'leftMs'>): void
  onProgress(told: ComparisonProgress): void
}

type Measured = Extract<ComparisonProgress, { kind: 'measured' }>

/** What has no end yet is not drawn. */
const inPercent = (ratio: number) =>
  ratio > 0 && Number.isFinite(ratio) ? (ratio - 1) * 100 : null

/** A view of a comparison: its time, the plan, and the running interval; nothing where silent. */
export function createComparisonView(options: {
  stream: NodeJS.WriteStream
  silent: boolean
  page?: Pick<Live, 'tell'>
}): ComparisonView {
  const { stream, silent, page } = options
  let time = () => ''
  let now = 'beginning'
  const view = createLiveView({
    ...{ stream, silent, page },
    facts: () => [[time(), now].filter(Boolean).join('   ')]
  })
  // What is found on the way is for people, who are not there where it is silent.
  const say = (text: string) => {
    if (silent) page?.tell({ t: 'note', text })
    else view.note(text)
  }
  const measured = ({ blocks, terms, confirms }: Measured) => {
    const { ratio, interval } = runningRatio(blocks, terms)
    const found = `${terms.metric} ${change(ratio)} (${changes(interval)})`
    const stage = confirms ? 'confirming' : 'comparing'
    now = `${stage}: ${blocks.length} of ${terms.looks.at.at(-1)} blocks, ${found}`
    const [low, high] = interval.map(inPercent)
    const values = { ratio: inPercent(ratio), low: low!, high: high! }
    const name = `${stage}: ${terms.metric} of B against A, per cent`
    page?.tell({ t: 'point', name, text: found, values })
  }
  return {
    note: view.note,
    end: view.end,
    begin(deadline) {
      time = () => timeText(deadline)
    },
    onProgress(told) {
      if (told.kind === 'warming') now = 'warming up'
      else if (told.kind === 'paced') say(pacedText(told))
      else if (told.kind === 'planned') say(planText(told.plan, told))
      else if (told.kind === 'repeated') say(`repeated: ${told.reasons.join('; ')}`)
      else if (told.kind === 'measured') measured(told)
      else if (told.kind === 'confirming') {
        const { worse, ratio } = told.conclusion
        say(`B differs, ${worse?.because ?? change(ratio)}: measured once more, all made anew.`)
      }
      view.draw()
    }
  }
}
