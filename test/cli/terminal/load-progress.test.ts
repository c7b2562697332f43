import { expect, test } from 'vitest'
import { createLoadProgress } from '../../../src/cli/terminal/load-progress.ts'
import { createSample } from '../../../src/load/figures/sample.ts'
import {
  between,
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../../src/load/health/live-counters.ts'
import { closed, hold, open } from '../../../src/load/load.ts'

/** What is told of a load after each quarter of a second, in which so many requests failed. */
function told(load: Parameters<typeof createLoadProgress>[0], failures: number[]): string[] {
  const memory = createLiveMemory()
  const live = createLiveCounters(memory)
  const line = createLoadProgress(load)
  let earlier = readLive([memory], 0)
  return failures.map((many, place) => {
    for (const status of [200, ...Array<number>(many).fill(503)]) {
      live.begin()
      live.record({ ...createSample(), status, end: 1 }, true)
    }
    if (many > 0) live.drop()
    const now = readLive([memory], 250 * (place + 1))
    const text = line(between(earlier, now))
    earlier = now
    return text
  })
}

test('the tally is of all so far, and not of the last look', () => {
  const lines = told(open(hold({ rate: 100, seconds: 11 })), [13, 12, 0])
  expect(lines.map((one) => one.split('   ').slice(-2))).toEqual([
    ['13 failed', '1 dropped'],
    ['25 failed', '2 dropped'],
    ['25 failed', '2 dropped']
  ])
  expect(lines[2]).toContain(' s of 11.0 s   4/s')
})

test('the end is where the requests end it, as far as that is known', () => {
  const rate = open(hold({ rate: 100, seconds: 10 }))
  expect(told({ ...rate, iterations: 400 }, [0])[0]).toContain(' s of 4.0 s ')
  expect(told(closed({ users: 1, seconds: 10, iterations: 400 }), [0])[0]).toContain(
    ' s of at most 10.0 s '
  )
  expect(told(closed({ users: 1, iterations: 400 }), [0])[0]).not.toContain(' of ')
})
