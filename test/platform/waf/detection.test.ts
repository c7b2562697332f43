import { expect, test } from 'vitest'
import { attacks } from './corpus/attacks.ts'
import { detection, type Outcome } from './corpus/detection.ts'
import { ordinary } from './corpus/ordinary.ts'

const seen = detection()
const share = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ found }) => found.length > 0).length / outcomes.length

test('the corpora are as large as they have to be, and name nothing twice', () => {
  for (const samples of Object.values(attacks)) {
    expect(samples.length).toBeGreaterThanOrEqual(25)
    expect(new Set(samples).size).toBe(samples.length)
  }
  const all = Object.values(ordinary).flat()
  expect(all.length).toBeGreaterThanOrEqual(1_500)
  expect(new Set(all).size).toBe(all.length)
})

test.each([true, false])('ordinary traffic is hardly ever an attack, held out: %j', (isHeldOut) => {
  const those = seen.ordinary.filter((one) => one.isHeldOut === isHeldOut)
  expect(share(those)).toBeLessThan(0.01)
})

test.each(Object.keys(attacks))('attacks of class %s are found, wherever they are sent', (kind) => {
  for (const isHeldOut of [true, false]) {
    const those = seen.attacks.filter((one) => one.kind === kind && one.isHeldOut === isHeldOut)
    expect(share(those)).toBeGreaterThan(0.95)
  }
})

test('most of a stranger’s attacks are found, and of his traffic next to nothing', () => {
  expect(seen.strangeAttacks.length).toBeGreaterThanOrEqual(300)
  expect(share(seen.strangeAttacks)).toBeGreaterThan(0.8)
  expect(seen.strangeTraffic.length).toBeGreaterThanOrEqual(400)
  expect(share(seen.strangeTraffic)).toBeLessThan(0.01)
})
