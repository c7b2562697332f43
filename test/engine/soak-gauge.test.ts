import { expect, test } from 'vitest'
import { createGauge, type Figures } from '../../src/engine/soak-gauge.ts'

/** A gauge that looks as often as there is something to see, and then once more. */
async function gauged(told: readonly (Figures | undefined)[]) {
  let look = 0
  const gauge = createGauge({
    figures: async () => told[Math.min(look++, told.length - 1)],
    clock: {
      now: () => look,
      until: (_, signal) =>
        look < told.length - 1
          ? Promise.resolve()
          : new Promise((resolve) => {
              if (signal!.aborted) resolve()
              signal!.addEventListener('abort', () => resolve())
            })
    },
    everyMs: 1
  })
  while (look < told.length - 1) await null
  return gauge.end()
}

test('the lowest of each figure is kept, and the time spent between the ends', async () => {
  const read = await gauged([
    { values: { rss: 5, heap: 9 }, cpuUs: 100 },
    { values: { rss: 3, heap: 10 }, cpuUs: 140 },
    { values: { rss: 4, heap: 11 }, cpuUs: 190 }
  ])
  expect(read).toEqual({ floors: { rss: 3, heap: 9 }, cpuUs: 90 })
})

test('another process begins anew', async () => {
  const read = await gauged([
    { values: { rss: 1 }, cpuUs: 100, process: 'a' },
    { values: { rss: 7 }, cpuUs: 5, process: 'b' },
    { values: { rss: 8 }, cpuUs: 9, process: 'b' }
  ])
  expect(read).toEqual({ floors: { rss: 7 }, process: 'b' })
})

test('moments at which nothing is told are passed over', async () => {
  expect(await gauged([undefined, { values: { rss: 2 } }, undefined])).toEqual({
    floors: { rss: 2 }
  })
  expect(await gauged([undefined])).toEqual({ floors: {} })
})
