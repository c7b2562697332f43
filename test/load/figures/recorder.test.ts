import { expect, test } from 'vitest'
import { createMetrics } from '../../../src/load/figures/metrics.ts'
import { createRecorder } from '../../../src/load/figures/recorder.ts'
import { createSample } from '../../../src/load/figures/sample.ts'
import {
  between,
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../../src/load/health/live-counters.ts'
import { hold, open, warmUp } from '../../../src/load/load.ts'

test('what was due during warm-up is no figure, however late it is answered', () => {
  const { phases } = open(warmUp(hold({ rate: 1, seconds: 2 })), hold({ rate: 1, seconds: 2 }))
  const memory = createLiveMemory()
  const [metrics, live] = [createMetrics(), createLiveCounters(memory)]
  const recorder = createRecorder({ phases, metrics, live })
  const began = readLive([memory], 0)
  const ends = (due: number, end: number, status: number) => {
    recorder.begin(due)
    recorder.record({ ...createSample(), due, sent: due, first: end, end, status })
  }
  ends(0, 500, 500)
  ends(1_000, 3_900, 503)
  recorder.drop(1_500)
  ends(2_000, 2_010, 200)
  ends(3_000, 3_010, 500)
  recorder.drop(3_500)
  const seen = between(began, readLive([memory], 4_000))
  expect(seen).toMatchObject({ begun: 4, finished: 4, measured: 2, failed: 1, dropped: 1 })
  expect(seen.countAboveUs(100_000)).toBe(0)
  recorder.end()
})

test('what waited in vain beyond the warm-up has failed after it', () => {
  const { phases } = open(warmUp(hold({ rate: 1, seconds: 2 })), hold({ rate: 1, seconds: 2 }))
  const metrics = createMetrics()
  const recorder = createRecorder({ phases, metrics, live: createLiveCounters(createLiveMemory()) })
  const ends = (due: number, end: number) => {
    recorder.begin(due)
    recorder.record({ ...createSample(), ending: 'timeout', due, sent: due, first: NaN, end })
  }
  ends(0, 1_500)
  ends(1_000, 3_000)
  ends(2_500, 3_500)
  expect(metrics.tally().results).toEqual({ timeout: 2 })
})

test('what still happens when a load is over is taken down no more', () => {
  const { phases } = open(hold({ rate: 1, seconds: 2 }))
  const metrics = createMetrics({ wait: { unit: 'ms', kind: 'distribution' } })
  const recorder = createRecorder({ phases, metrics, live: createLiveCounters(createLiveMemory()) })
  recorder.stream(0, 'messageGap', 5)
  const tally = metrics.tally()
  recorder.end()
  recorder.stream(0, 'messageGap', 5)
  recorder.measure(0, 'wait', 5)
  recorder.lag(0, 5)
  recorder.iterate(0, 5)
  recorder.record(createSample())
  recorder.fault(new Error('late'), 0)
  expect(tally.own!.messageGap!.count).toBe(1)
  expect(recorder.faults()).toEqual({})
})
