import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { centreInterval } from '../../src/statistics/centre.ts'
import { mean } from '../../src/statistics/deviation.ts'
import { lastingWidening, type TimedBlock } from '../../src/statistics/lasting-noise.ts'
import { normals, series } from './noise.ts'

/** How much what a difference is made of varies: of a start, of a process, of an arm. */
type Noise = { luck?: number; process?: number; arm?: number }

/** Noise of a pair's own, what is remembered for, and when pairs and blocks follow each other. */
const own = { sd: 0.028, memoryMs: 6_000, pairMs: 200, blockMs: 2_200 }

/** Twenty blocks of six pairs that vary by nothing else, about no difference. */
function blocksOf({ luck = 0, process = 0, arm = 0 }: Noise, seed: number): TimedBlock[] {
  const next = normals(random(seed, 'lasting'))
  let [ofArm, before] = [next(), 0]
  return series(20, (block) => {
    const start = luck * next()
    let ofProcess = next()
    return series(6, (pair) => {
      const atMs = block * own.blockMs + pair * own.pairMs
      const moved = (value: number, ms: number) => {
        const kept = Math.exp(-ms / own.memoryMs)
        return kept * value + Math.sqrt(1 - kept ** 2) * next()
      }
      ofArm = moved(ofArm, atMs - before)
      ofProcess = moved(ofProcess, own.pairMs)
      before = atMs
      return { atMs, value: start + process * ofProcess + arm * ofArm + own.sd * next() }
    })
  })
}

const confidence = 0.985

const widened = (blocks: readonly TimedBlock[]) =>
  lastingWidening({ of: blocks, all: blocks }, confidence)

/** Of 100 draws: how often the truth is inside, and by how much intervals are wider. */
function drawn(noise: Noise) {
  const draws = series(100, (seed) => {
    const timed = blocksOf(noise, seed)
    const found = timed.map((block) => mean(block.map(({ value }) => value)))
    const given = { confidence, unit: 'processes' } as const
    const plain = centreInterval(found, given)
    const told = centreInterval(found, { ...given, lasting: widened(timed) })
    return { told: told.low < 0 && told.high > 0, plain: plain.low < 0 && plain.high > 0, timed }
  })
  const inside = (which: 'told' | 'plain') => draws.filter((draw) => draw[which]).length
  const by = draws.map(({ timed }) => widened(timed))
  return { told: inside('told'), plain: inside('plain'), by }
}

test.for<[string, Noise, number]>([
  ['nothing', {}, 1.1],
  ['luck of 1 %', { luck: 0.014 }, 1.15],
  ['luck of 2 %', { luck: 0.028 }, 1.15],
  ['luck of 3 %', { luck: 0.042 }, 1.15],
  ['what comes and goes with a process', { process: 0.07 }, 1.35]
])('starts that differ by %s make an interval hardly wider', ([, noise, most]) => {
  const { told, by } = drawn(noise)
  expect(mean(by)).toBeLessThan(most)
  expect(told).toBeGreaterThanOrEqual(95)
})

test('what outlives processes is seen in their pairs, where neighbours hide it', () => {
  const { told, plain, by } = drawn({ arm: 0.07 })
  expect(told).toBeGreaterThanOrEqual(95)
  expect(told).toBeGreaterThan(plain)
  expect(mean(by)).toBeGreaterThan(2)
})

test('the widening depends on no unit of values or of time, nor on when it began', () => {
  const blocks = blocksOf({ arm: 0.05, luck: 0.01 }, 3)
  const changed = blocks.map((block) =>
    block.map(({ atMs, value }) => ({ atMs: 7 * atMs + 1e6, value: 1 + 100 * value }))
  )
  expect(widened(changed)).toBeCloseTo(widened(blocks), 3)
})

test('others before tell as well how much a few blocks vary by what lasts', () => {
  const blocks = blocksOf({ arm: 0.07 }, 5)
  const few = blocks.slice(-3)
  const alone = lastingWidening({ of: few, all: few }, confidence)
  const among = lastingWidening({ of: few, all: blocks }, confidence)
  expect(among).toBeGreaterThan(1)
  expect(among).not.toBeCloseTo(alone, 2)
})

test('where nothing varies, or no time passes, nothing is widened', () => {
  const alike = blocksOf({}, 1).map((block) => block.map(({ atMs }) => ({ atMs, value: 0.01 })))
  expect(widened(alike)).toBe(1)
  const atOnce = blocksOf({}, 1).map((block) => block.map(({ value }) => ({ atMs: 5, value })))
  expect(widened(atOnce)).toBe(1)
})
