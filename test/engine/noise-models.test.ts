import { describe, expect, test } from 'vitest'
import { noiseModels } from './noise-models.ts'
import { share, simulated } from './simulated.ts'

const series = <Value>(count: number, of: (seed: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, seed) => of(seed)))

const common = { slower: 0, budget: 0.05, seconds: 60 }
const isAlarm = ({ verdict }: { verdict: string }) =>
  verdict === 'regressed' || verdict === 'improved'

const named = Object.entries(noiseModels)
const short = named.filter(([, { whose }]) => whose !== 'arm').map(([model]) => model)
const shared = named.filter(([, { whose }]) => whose === 'machine').map(([model]) => model)

// The suite repeats with a tenth of the comparisons what `bench:verdicts --models` measures; with
// fixed seeds the shares are the same every time.
describe('of alike builds, on fresh processes', () => {
  test.each(short)('%s: no alarm, and the interval holds the truth', async (model) => {
    const outcomes = await series(60, (seed) =>
      simulated({ ...common, model, by: 'command', seed })
    )
    expect(share(outcomes, isAlarm).events).toBe(0)
    expect(share(outcomes, ({ isCovered }) => isCovered).events).toBeGreaterThanOrEqual(57)
  })
})

describe('of alike targets by URL', () => {
  test.each(shared)('%s: no alarm, and the interval holds the truth', async (model) => {
    const outcomes = await series(10, (seed) => simulated({ ...common, model, by: 'url', seed }))
    expect(share(outcomes, isAlarm).events).toBe(0)
    expect(share(outcomes, ({ isCovered }) => isCovered).events).toBeGreaterThanOrEqual(9)
    for (const { seconds } of outcomes) expect(seconds).toBeGreaterThanOrEqual(20)
  })
})

test.each([
  ['luck of a process, 1 %', 0.05, 0.03, 27],
  ['luck of a process, 2 %', 0.1, 0.03, 29],
  ['luck of a process, 2 %', -0.1, 0.05, 27]
])('%s: a change of %f is found at a budget of %f', async (model, slower, budget, least) => {
  const given = { ...common, model, slower, budget, by: 'command' as const }
  const outcomes = await series(30, (seed) => simulated({ ...given, seed }))
  const found = slower > 0 ? 'regressed' : 'improved'
  expect(share(outcomes, ({ verdict }) => verdict === found).events).toBeGreaterThanOrEqual(least)
})

test('a build that is faster and has a longer tail is not improved', async () => {
  const given = { ...common, slower: -0.1, budget: 0.03, by: 'command' as const, fault: 'tail' }
  const model = 'luck of a process, 2 %'
  const outcomes = await series(20, (seed) => simulated({ ...given, model, seed }))
  expect(share(outcomes, ({ verdict }) => verdict === 'improved').events).toBe(0)
  expect(share(outcomes, ({ worse }) => worse === 'shape').events).toBeGreaterThanOrEqual(18)
})

test('few starts have to be surer beside the gates, and find a tail all the same', async () => {
  const model = 'luck of a process, 1 %'
  const given = { model, slower: 0, budget: 0.03, seconds: 15, by: 'command' as const }
  // By the level of many starts these were called worse, for their shape or CPU.
  const once = [330_150, 330_490, 330_523, 331_006, 331_074, 331_651, 331_662, 331_739]
  const alike = await Promise.all(
    once.map((seed) => simulated({ ...given, seed, fault: 'none', startMs: 300 }))
  )
  expect(share(alike, isAlarm).events).toBe(0)
  const tails = await series(60, (seed) =>
    simulated({ ...given, seed: 330_000 + seed, fault: 'tail', startMs: 300 })
  )
  expect(share(tails, isAlarm).events).toBeGreaterThanOrEqual(12)
})
