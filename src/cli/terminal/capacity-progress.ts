import type { Deadline } from '../../engine/deadline.ts'
import type { RateTask, RateTrial } from '../../verdict/rate-trial.ts'
import type { Live } from '../live/live.ts'
import { rateText, trialLine } from './capacity-text.ts'
import { timeText } from './elapsed.ts'
import { createLiveView, type LiveView } from './live-view.ts'

/** How a search for a capacity goes just now, on stderr. */
export type CapacityProgress = Pick<LiveView, 'note' | 'end'> & {
  onTask(task: RateTask): void
  onTrial(trial: RateTrial): void
}

/** What trials have shown so far: `9 held up to 1,200/s, 4 missed from 1,500/s on`. */
function tallyText(trials: readonly RateTrial[]): string {
  const ratesOf = (wanted: RateTrial['outcome']) =>
    trials.filter(({ outcome }) => outcome === wanted).map(({ rate }) => rate)
  const [held, missed, unoffered] = [ratesOf('held'), ratesOf('missed'), ratesOf('unoffered')]
  const told = [
    ...(held.length > 0 ? [`${held.length} held up to ${rateText(Math.max(...held))}`] : []),
    ...(missed.length > 0
      ? [`${missed.length} missed from ${rateText(Math.min(...missed))} on`]
      : []),
    ...(unoffered.length > 0 ? [`${unoffered.length} not offered`] : [])
  ]
  return told.join(', ') || 'looking at little load first'
}

/** A view of a search that has so long; its last trials too, where lines can move. */
export function createCapacityProgress(options: {
  stream: NodeJS.WriteStream
  deadline: Deadline
  silent: boolean
  page?: Pick<Live, 'tell'>
}): CapacityProgress {
  const { stream, deadline, silent, page } = options
  const trials: RateTrial[] = []
  let now = ''
  const view = createLiveView({
    ...{ stream, silent, page },
    facts: () => [
      [`  ${timeText(deadline)}`, tallyText(trials), now].filter(Boolean).join('   '),
      ...trials.slice(-5).map(trialLine)
    ]
  })
  return {
    note: view.note,
    end: view.end,
    onTask({ purpose, rate }) {
      now = `now ${rateText(rate)} (${purpose})`
      view.draw()
    },
    onTrial(trial) {
      trials.push(trial)
      const values = { rate: trial.rate, goodput: trial.goodput }
      page?.tell({ t: 'point', name: 'rates tried', text: trialLine(trial).trim(), values })
      page?.tell({ t: 'note', text: trialLine(trial).trim() })
      now = ''
      view.draw()
    }
  }
}
