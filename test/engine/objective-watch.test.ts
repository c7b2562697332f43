import { expect, test } from 'vitest'
import { createObjectiveWatch } from '../../src/engine/objective-watch.ts'
import { createLiveMemory, readLive } from '../../src/load/health/live-counters.ts'
import { hold, open, warmUp } from '../../src/load/load.ts'

/** A reading with so many requests finished and failed up to a moment. */
function reading(atMs: number, counts: { finished: number; failed: number }) {
  const empty = readLive([createLiveMemory()], atMs)
  return { ...empty, ...counts, begun: counts.finished, measured: counts.finished }
}

function watch(
  load: ReturnType<typeof open>,
  objectives: Parameters<typeof createObjectiveWatch>[0]['objectives']
) {
  let hopeless = 0
  const vigil = createObjectiveWatch({ load, seed: 1, objectives, onHopeless: () => hopeless++ })
  return { vigil, hopeless: () => hopeless }
}

test('a load is given up once, as soon as too much has failed for all of it', () => {
  const load = open(hold({ rate: 100, seconds: 10 }))
  const { vigil, hopeless } = watch(load, { errorRatio: 0.01 })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(1_000, { finished: 100, failed: 10 }))
  expect(hopeless()).toBe(0)
  vigil.see(reading(2_000, { finished: 200, failed: 11 }))
  vigil.see(reading(3_000, { finished: 300, failed: 50 }))
  expect(hopeless()).toBe(1)
  expect(vigil.broken()).toEqual(['given up after 2.0 s: 11 of 1000 requests failed'])
})

test('each stretch is held against its own objectives', () => {
  const load = open(hold({ rate: 100, seconds: 10 }))
  const { vigil, hopeless } = watch(load, { every: { seconds: 1, errorRatio: 0.05 } })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(500, { finished: 50, failed: 0 }))
  vigil.see(reading(1_000, { finished: 100, failed: 5 }))
  vigil.see(reading(2_000, { finished: 200, failed: 11 }))
  vigil.see(reading(3_000, { finished: 300, failed: 11 }))
  expect(vigil.broken()).toEqual(['from 1.0 s to 2.0 s: 6 of 100 requests failed'])
  expect(hopeless()).toBe(0)
})

test('what happens during warm-up is not held against it', () => {
  const load = open(warmUp(hold({ rate: 100, seconds: 2 })), hold({ rate: 100, seconds: 10 }))
  const { vigil } = watch(load, { errorRatio: 0, every: { seconds: 1, errorRatio: 0 } })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(1_000, { finished: 100, failed: 100 }))
  vigil.see(reading(2_000, { finished: 200, failed: 150 }))
  vigil.see(reading(3_000, { finished: 300, failed: 150 }))
  expect(vigil.broken()).toEqual([])
})
