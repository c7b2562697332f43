import { expect, test } from 'vitest'
import { compare } from '../../src/engine/comparison.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { type Arm, type Arms, oneByOne } from '../../src/engine/pairing.ts'
import { createSilence } from '../../src/engine/silence.ts'
import { shapeCell } from '../../src/load/figures/histogram.ts'
import { closed, durationMs } from '../../src/load/load.ts'
import { random } from '../../src/random.ts'
import type { Trial } from '../../src/verdict/trial.ts'
import { trialOfUs } from '../verdict/pairs.ts'
import { createVirtualClock } from './virtual-arms.ts'

/** What the n-th request takes, in ms, that is begun when its process is so many old. */
type Answering = (ms: number, n: number) => number

/** What a comparison in virtual time came to of two targets, request by request. */
async function comparing(
  answering: Partial<Record<Arm, Answering>>,
  given: { seconds?: number; timeoutMs?: number; pairsPerBlock?: number } = {}
) {
  const { seconds = 20, timeoutMs = 2_000, pairsPerBlock = 1 } = given
  const clock = createVirtualClock()
  const next = random(11, 'times')
  const endMs = seconds * 1_000
  const asked = { a: 0, b: 0 }
  let born = 0
  const trial = async (arm: Arm, lastsMs: number): Promise<Trial> => {
    const from = clock.now()
    const times: number[] = []
    let answers = 0
    const errors = { timeout: 0, unfinished: 0 }
    while (clock.now() < Math.min(endMs, from + lastsMs)) {
      const usual: Answering = () => 3 + 0.2 * next()
      const ms = (answering[arm] ?? usual)(clock.now() - born, asked[arm]++)
      const leftMs = endMs - clock.now()
      clock.pass(Math.min(ms, timeoutMs, leftMs))
      if (ms > Math.min(timeoutMs, leftMs)) errors[timeoutMs <= leftMs ? 'timeout' : 'unfinished']++
      else answers++
      // A request that is given up counts as one that took so long.
      if (Math.min(ms, timeoutMs) <= leftMs) times.push(Math.min(ms, timeoutMs))
    }
    const failures = errors.timeout + errors.unfinished
    const p50Us = times.length > 0 ? 1_000 * times[0]! : null
    const p99Us = times.length > 0 ? 1_000 * Math.max(...times) : null
    const perSecond = answers / ((clock.now() - from) / 1_000)
    const shape: Record<number, number> = {}
    for (const ms of times) {
      const cell = shapeCell(1_000 * ms)
      shape[cell] = (shape[cell] ?? 0) + 1
    }
    const requests = answers + failures
    return trialOfUs(p50Us, { p99Us, shape, requests, failures, errors, perSecond })
  }
  const arms: Arms = {
    async renew() {
      clock.pass(100)
      if (pairsPerBlock > 1) born = clock.now()
    },
    pair: (first, load) => oneByOne(first, (arm) => trial(arm, durationMs(load.phases)))
  }
  const comparison = await compare({
    ...{ arms, clock, pairsPerBlock, metric: 'p50', seed: 1, onProgress() {} },
    loadFor: (seconds) => closed({ connections: 1, seconds }),
    margins: { nothing: Math.log(1.01), budget: Math.log(1.05) },
    deadline: createDeadline(seconds, { clock }),
    stopped: () => clock.now() >= endMs
  })
  const { ended, conclusion, because } = comparison
  return { outcome: ended === 'decided' ? conclusion!.verdict : ended, because }
}

const hangingFrom =
  (fromMs: number, toMs = Infinity): Answering =>
  (ms) =>
    ms < fromMs || ms >= toMs ? 3 : toMs - ms

const shares = [0, 0.1, 0.25, 0.4, 0.55]

test.each([
  ['b', 1_000],
  ['b', 5_000],
  ['a', 2_000],
  ['a', 10_000]
] as const)('%s that hangs for good, on the way, with %i ms for a request', async (arm, given) => {
  for (const seconds of [20, 60]) {
    for (const share of shares) {
      const hangs = hangingFrom(share * 0.5 * seconds * 1_000)
      const found = await comparing({ [arm]: hangs }, { seconds, timeoutMs: given })
      expect([share, found.outcome]).toEqual([share, 'blocked'])
      expect(found.because).toMatch(
        new RegExp(`(^|; )${arm.toUpperCase()} hangs.*: .* had no answer, for \\d+\\.\\d s$`)
      )
    }
  }
})

test('each process that hangs after a while is one that hangs', async () => {
  for (const timeoutMs of [1_000, 5_000, 10_000]) {
    const given = { seconds: 30, timeoutMs, pairsPerBlock: 5 }
    const found = await comparing({ b: hangingFrom(600) }, given)
    expect(found).toMatchObject({ outcome: 'blocked', because: expect.stringMatching(/B hangs/) })
  }
})

test('one that stalls for two seconds, and goes on, does not hang', async () => {
  for (const timeoutMs of [500, 1_000, 10_000]) {
    for (const fromMs of [0, 300, 4_000, 10_000, 13_500]) {
      const { outcome, because } = await comparing(
        { b: hangingFrom(fromMs, fromMs + 2_000) },
        { timeoutMs }
      )
      expect(outcome).not.toBe('blocked')
      expect(because).not.toMatch(/hang/)
    }
  }
})

test('one that stands still for 2 s of 7 is no pass, and as A does no regression', async () => {
  const now: Answering = (ms) => (ms % 7_000 > 5_000 ? 7_003 - (ms % 7_000) : 3)
  for (const seconds of [20, 60]) {
    const { outcome } = await comparing({ b: now }, { seconds, timeoutMs: 10_000 })
    expect(['inconclusive', 'regressed']).toContain(outcome)
    const alike = await comparing({ a: now, b: now }, { seconds, timeoutMs: 10_000 })
    expect(alike.outcome).not.toBe('regressed')
  }
})

test('one that is slow, and answers, does not hang', async () => {
  for (const ms of [500, 3_000, 9_000]) {
    const { outcome, because } = await comparing({ b: () => ms }, { timeoutMs: 10_000 })
    expect(outcome).not.toBe('blocked')
    expect(because).not.toMatch(/hang/)
  }
})

test('one that loses requests fails them, and does not hang', async () => {
  for (const every of [50, 400]) {
    const lost: Answering = (_, n) => (n % every === every - 1 ? Infinity : 3)
    const { outcome, because } = await comparing({ b: lost }, { seconds: 40, timeoutMs: 500 })
    expect(outcome).not.toBe('blocked')
    expect(because).not.toMatch(/hangs/)
  }
})

test('an end that is silent for one request is no pass, and is told of first', async () => {
  // With a minute for each there is no time for a second one.
  const given = { timeoutMs: 60_000 }
  const { outcome, because } = await comparing({ b: hangingFrom(12_000) }, given)
  expect(outcome).toBe('inconclusive')
  expect(because).toMatch(/^B may hang: its last request had no answer, for [78]\.\d s; /)
})

test('what hangs in a part of its connections has failures, of which its end is told', async () => {
  const part: Answering = (ms, n) => (ms > 4_000 && n % 20 === 0 ? Infinity : 3)
  const { outcome, because } = await comparing({ b: part }, { timeoutMs: 10_000 })
  expect(['inconclusive', 'refused']).toContain(outcome)
  expect(because).toMatch(/^B failed \d of \d+ requests \(.*\), A none of \d+; B may hang: /)
})

test('what B alone leaves without an answer is no pass, though it was in the warm-up', async () => {
  const losing = (most: number): Answering => {
    return (_, n) => (n < most ? Infinity : 3)
  }
  const given = { seconds: 40, timeoutMs: 500 }
  const { outcome, because } = await comparing({ b: losing(3) }, given)
  expect(outcome).toBe('inconclusive')
  expect(because).toMatch(
    /^B left 3 of \d+ requests without an answer, warm-up counted, and A none of \d+; /
  )
  // One is lost by chance, and as many on both sides by what they have in common.
  for (const answering of [{ b: losing(1) }, { a: losing(3), b: losing(3) }]) {
    expect(await comparing(answering, given)).toMatchObject({ outcome: 'no-regression' })
  }
})

test('where neither answers both are named', async () => {
  const never = () => Infinity
  const { outcome, because } = await comparing({ a: never, b: never })
  expect(outcome).toBe('blocked')
  expect(because).toMatch(/^B hangs, or .*; A (hangs|may hang).*: \d of its last \d requests /)
})

const silent = (changes: Partial<Trial> = {}) =>
  trialOfUs(4e6, { requests: 1, failures: 1, errors: { timeout: 1 }, ...changes })
const times = { tookMs: 4_000, shouldMs: 120 }

test('who was not asked is as silent as before, and any answer ends it', () => {
  const { hear, current } = createSilence('B')
  hear(trialOfUs(1_000), { tookMs: 120, shouldMs: 120 })
  expect(current()).toBeUndefined()
  hear(silent(), times)
  expect(current()).toMatchObject({ says: 'may hang', isWhole: true })
  hear(silent({ requests: 0, failures: 0, errors: {} }), times)
  expect(current()!.because).toBe('B may hang: its last request had no answer, for 4.0 s')
  // The generator may be at fault for a time, and not for what was not answered in it.
  hear(silent({ reasons: ['the machine is busy'] }), times)
  expect(current()).toMatchObject({ says: 'hangs' })
  hear(trialOfUs(1_000, { reasons: ['the machine is busy'] }), times)
  expect(current()).toBeUndefined()
  // It lost requests, and may lose two in a row again.
  for (let at = 0; at < 2; at++) hear(silent(), times)
  expect(current()).toMatchObject({ says: 'may hang' })
})

test('who takes about as long as it is given may only be slow', () => {
  const { hear, current } = createSilence('B')
  hear(trialOfUs(3e6, { p99Us: 9e6 }), { tookMs: 9_000, shouldMs: 120 })
  for (let at = 0; at < 2; at++) hear(silent(), { tookMs: 10_000, shouldMs: 120 })
  expect(current()).toMatchObject({ says: 'may hang' })
  hear(silent(), { tookMs: 10_000, shouldMs: 120 })
  expect(current()!.because).toMatch(/^B hangs, or takes longer than it was given: 3 of .*, for 30/)
})

test('who never answered in a short time for it may only be slow', () => {
  const { hear, current } = createSilence('B')
  for (let at = 0; at < 6; at++) hear(silent(), { tookMs: 1_000, shouldMs: 120 })
  expect(current()!.because).toBe(
    'B hangs, or takes longer than it was given: 6 of its last 6 requests had no answer, for 6.0 s'
  )
})
