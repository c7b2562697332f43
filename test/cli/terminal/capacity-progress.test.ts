import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCapacityProgress } from '../../../src/cli/terminal/capacity-progress.ts'
import type { RateTask, RateTrial } from '../../../src/verdict/rate-trial.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const trial = (rate: number, outcome: RateTrial['outcome']) =>
  ({
    purpose: 'search',
    rate,
    seconds: 1,
    outcome,
    because: '',
    p99Us: 1_000
  }) as unknown as RateTrial

test('a search tells time, tally and what is tried now, and not each trial', () => {
  const stream = new PassThrough() as unknown as NodeJS.WriteStream & PassThrough
  const deadline = { seconds: 120, leftMs: () => 108_000 }
  const progress = createCapacityProgress({ stream, deadline, silent: false })
  progress.onTrial(trial(1_000, 'held'))
  progress.onTrial(trial(2_000, 'missed'))
  progress.onTrial(trial(1_500, 'missed'))
  progress.onTask({ purpose: 'search', rate: 1_250, seconds: 1 } as unknown as RateTask)
  vi.advanceTimersByTime(10_500)
  progress.end()
  expect(`${stream.read()}`.trim().split('\n')).toEqual([
    '12.0 s of at most 2 min 0 s   1 held up to 1,000/s, 2 missed from 1,500/s on   ' +
      'now 1,250/s (search)'
  ])
})
