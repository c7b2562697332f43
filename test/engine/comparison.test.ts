import { expect, test } from 'vitest'
import { compare } from '../../src/engine/comparison.ts'
import type { ComparisonProgress } from '../../src/engine/comparison-run.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { Stopped } from '../../src/engine/stop.ts'
import { closed } from '../../src/load/load.ts'
import { type Behaviour, createVirtualArms } from './virtual-arms.ts'

type Setting = Partial<Parameters<typeof compare>[0]> &
  NonNullable<Parameters<typeof createVirtualArms>[1]> & { seconds?: number }

async function comparing(behave: Behaviour, given: Setting = {}) {
  const { noise, renewMs, slowedBy, seconds = 60, ...changes } = given
  const { arms, clock, renewals } = createVirtualArms(behave, { noise, renewMs, slowedBy })
  const progress: ComparisonProgress[] = []
  const comparison = await compare({
    arms,
    clock,
    loadFor: (seconds) => closed({ connections: 1, seconds }),
    metric: 'p50',
    margins: { nothing: Math.log(1.01), budget: Math.log(1.05) },
    deadline: createDeadline(seconds, { clock }),
    pairsPerBlock: 1,
    seed: 1,
    stopped: () => false,
    onProgress: (one) => progress.push(one),
    ...changes
  })
  return { comparison, progress, renewals: renewals(), ms: clock.now() }
}

const slower =
  (percent: number): Behaviour =>
  (arm) => ({ p50Us: arm === 'a' ? 1_000 : 1_000 * (1 + percent / 100) })

test.each([
  [10, 'regressed'],
  [3, 'slower-within-budget'],
  [0, 'no-regression'],
  [-10, 'improved']
])('slower by %i in a hundred: %s', async (percent, verdict) => {
  const { comparison, ms } = await comparing(slower(percent))
  expect(comparison).toMatchObject({ ended: 'decided', conclusion: { verdict } })
  expect(comparison.conclusion!.ratio).toBeCloseTo(1 + percent / 100, 1)
  expect(ms).toBeLessThanOrEqual(61_000)
})

test('open loads come at half of what the slower one does, or at what both hold', async () => {
  const rates = new Set<number>()
  const behave: Behaviour = (arm, _, __, load) => {
    const { from } = load.phases[0]!
    if (load.model === 'closed') return { perSecond: arm === 'a' ? 1_000 : 800 }
    rates.add(from)
    return { perSecond: Math.min(from, arm === 'a' ? 1_000 : 330) }
  }
  const { comparison, progress } = await comparing(behave, { open: true })
  expect([...rates]).toEqual([400, 320])
  expect(comparison).toMatchObject({ rate: 320, conclusion: { verdict: 'no-regression' } })
  expect(progress).toContainEqual({ kind: 'paced', rate: 320 })
})

test('when not even a small rate is held, there is nothing to compare', async () => {
  const behave: Behaviour = (_, __, ___, { model }) => (model === 'open' ? { failures: 1 } : {})
  const { comparison } = await comparing(behave, { open: true })
  expect(comparison).toMatchObject({ ended: 'blocked', because: expect.stringMatching(/both/) })
})

test('what is clear is decided early, and confirmed on fresh connections', async () => {
  const { comparison, progress, renewals, ms } = await comparing(slower(50), { seconds: 300 })
  expect(ms).toBeLessThan(100_000)
  expect(renewals).toBe(2)
  expect(comparison.confirmation!.ratio).toBeCloseTo(1.5, 1)
  expect(progress.map(({ kind }) => kind)).toContain('confirming')
  expect((await comparing(slower(0))).renewals).toBe(1)
})

test('what is better is confirmed as what is worse is, after a gap', async () => {
  const { comparison, progress, renewals } = await comparing(slower(-20))
  expect(comparison).toMatchObject({ conclusion: { verdict: 'improved' } })
  expect(comparison.confirmation!.ratio).toBeCloseTo(0.8, 1)
  expect(progress.map(({ kind }) => kind)).toContain('confirming')
  expect(renewals).toBe(2)
  const once = await comparing((arm, _, renewals) => ({
    p50Us: arm === 'b' && renewals === 1 ? 700 : 1_000
  }))
  expect(once.comparison.conclusion).toMatchObject({
    verdict: 'inconclusive',
    because: expect.stringMatching(/B looked better .* not again/)
  })
})

test('of processes that stay nothing is decided within twenty seconds', async () => {
  expect((await comparing(slower(0))).ms).toBeGreaterThanOrEqual(20_000)
  expect((await comparing(slower(50))).ms).toBeGreaterThanOrEqual(20_000)
})

test('processes are warmed until their own figures have settled', async () => {
  // Code that takes 30 trials to be compiled: those of the first six would be of another program.
  const behave: Behaviour = (arm, n) => ({
    p50Us: (n < 60 ? 3_000 - 30 * n : 1_000) * (arm === 'b' && n < 60 ? 2 : 1)
  })
  const { comparison, progress } = await comparing(behave, { pairsPerBlock: 6, seconds: 300 })
  expect(comparison.conclusion).toMatchObject({ verdict: 'no-regression' })
  const last = progress.findLast((one) => one.kind === 'measured')!
  const cold = last.blocks.filter((pairs) => pairs.some(({ b }) => b.p50Us! > 1_500))
  expect(cold).toEqual([])
})

test('of code that is slow and level at first a longer warm-up gets rid', async () => {
  const behave: Behaviour = (arm, n) => ({ p50Us: arm === 'b' && n < 40 ? 1_300 : 1_000 })
  const given = { pairsPerBlock: 5, seconds: 300 }
  const usual = await comparing(behave, given)
  expect(usual.comparison.conclusion!.verdict).toBe('regressed')
  expect(usual.comparison.conclusion!.unseen[1]).toMatch(/code that is fast only later/)
  const warmed = await comparing(behave, { ...given, warmUpSeconds: 5 })
  expect(warmed.comparison.conclusion).toMatchObject({ verdict: 'no-regression' })
})

test.each([
  [{ statuses: { 204: 100 }, receivedBytes: 15_000 }, 'blocked', /^B answers 100 % .* without/],
  [{ statuses: { 302: 100 }, receivedBytes: 20_000 }, 'blocked', /^B redirects 100 % /],
  [{ statuses: { 200: 100 }, receivedBytes: 17_700 }, 'decided', /; an answer of B's has 177 /]
])('a faster B that answers otherwise, %j: %s', async (other, ended, because) => {
  const usual = { statuses: { 200: 100 }, receivedBytes: 240_000 }
  const { comparison } = await comparing((arm) => (arm === 'a' ? usual : { ...other, p50Us: 700 }))
  expect(comparison.ended).toBe(ended)
  expect(comparison.because).toMatch(because)
})

test('a regression that goes away with the connections is none', async () => {
  const { comparison } = await comparing((arm, _, renewals) => ({
    p50Us: arm === 'b' && renewals === 1 ? 1_500 : 1_000
  }))
  expect(comparison).toMatchObject({
    ended: 'decided',
    conclusion: { verdict: 'inconclusive', because: expect.stringMatching(/not again/) }
  })
})

test('a budget that the time is too short for is refused, with what it would take', async () => {
  const { comparison, ms } = await comparing(slower(0), { noise: 0.8, seconds: 10 })
  expect(comparison.ended).toBe('refused')
  expect(comparison.plan!.neededSeconds).toBeGreaterThan(10)
  expect(comparison.because).toMatch(/would need about \d+ s/)
  expect(ms).toBeLessThan(10_000)
})

test('that nothing of starts got worse is told when all of the time was looked at', async () => {
  const { comparison, ms } = await comparing(slower(0), { pairsPerBlock: 5 })
  expect(comparison).toMatchObject({ conclusion: { verdict: 'no-regression' } })
  expect(ms).toBeGreaterThan(50_000)
})

/** B fails one request in 200 on some starts. */
const failing =
  (isSo: (start: number) => boolean): Behaviour =>
  (arm, _, renewals) => {
    const failures = arm === 'b' && isSo(renewals) ? 1 : 0
    return { requests: 200, failures, errors: { '5xx': failures } }
  }

test('failures of starts are told in noise that hides the budget', async () => {
  const noisy = { pairsPerBlock: 5, noise: 1.5 }
  const { comparison } = await comparing(
    failing((start) => start % 3 > 0),
    noisy
  )
  expect(comparison).toMatchObject({
    ended: 'decided',
    plan: { isFeasible: false },
    conclusion: { verdict: 'regressed', worse: { metric: 'errors' } }
  })
  const alike = await comparing(slower(0), noisy)
  expect(alike.comparison.ended).toBe('refused')
  // What is left is enough to ask whose noise it was.
  expect(60_000 - alike.ms).toBeGreaterThan(1_500)
})

test('what only all starts show has to be shown by the last of them alone, too', async () => {
  const seen = await comparing(
    failing((start) => start % 3 === 0 || start === 14 || start === 17),
    { pairsPerBlock: 5 }
  )
  expect(seen.progress.map(({ kind }) => kind)).not.toContain('confirming')
  expect(seen.comparison).toMatchObject({
    conclusion: { verdict: 'regressed', worse: { metric: 'errors' } },
    confirmation: { errors: { a: 0 } }
  })
  expect(seen.comparison.confirmation!.blocks).toBeLessThan(seen.comparison.conclusion!.blocks / 2)
})

test.each([
  ['30 times slower', 30, 'regressed'],
  ['30 times faster', 1 / 30, 'improved']
])('%s is told in noise that hides the budget', async (_, times, verdict) => {
  const behave: Behaviour = (arm) => ({ p50Us: arm === 'a' ? 1_000 : 1_000 * times })
  for (const pairsPerBlock of [1, 6]) {
    const { comparison } = await comparing(behave, { noise: 1.5, pairsPerBlock })
    expect(comparison).toMatchObject({ ended: 'decided', conclusion: { verdict } })
  }
})

test('a difference that the luck of a process comes to is told with a refusal', async () => {
  const given = { noise: 0.25, seconds: 20, margins: { nothing: 0.001, budget: 0.003 } }
  const { comparison } = await comparing(slower(30), given)
  expect(comparison.ended).toBe('refused')
  expect(comparison.because).toMatch(
    /; so far B is worse by \d\d\.\d % in p50, and that may be noise/
  )
  const alike = await comparing(slower(0), given)
  expect(alike.comparison.because).toMatch(/would need about \d+ s$/)
})

/** B, which refuses connections in so many of its 200 requests. */
const refusing =
  (failures: number): Behaviour =>
  (arm) => ({ requests: 200, ...(arm === 'b' && { failures, errors: { refused: failures } }) })

test('a refusal begins with the failures that were seen', async () => {
  const short = { noise: 0.8, seconds: 10, pairsPerBlock: 6, renewMs: () => 2_500 }
  const { comparison } = await comparing(refusing(1), short)
  expect(comparison.ended).toBe('refused')
  expect(comparison.because).toMatch(
    /^B failed (\d+) of \d+00 requests \(\1 connections refused\), A none of \d+00; a budget of/
  )
  expect(comparison.because).toMatch(/no more than (1 block fits|[2-9] blocks fit) in them/)
  const alike = await comparing(slower(0), short)
  expect(alike.comparison.because).toMatch(/^a budget of/)
})

/** A comparison of 20 s whose processes are made anew by `renew`. */
async function renewing(
  renew: () => Promise<void>,
  { arms, clock }: Pick<ReturnType<typeof createVirtualArms>, 'arms' | 'clock'>
) {
  const { comparison } = await comparing(slower(0), {
    arms: { ...arms, renew },
    clock,
    deadline: createDeadline(20, { clock }),
    pairsPerBlock: 6,
    stopped: () => clock.now() >= 20_000
  })
  return comparison
}

test('a refusal begins with a start that takes many times as long as those before', async () => {
  const { arms, clock } = createVirtualArms(slower(0))
  let starts = 0
  const renew = async () => {
    await arms.renew()
    if (starts++ === 0) return
    clock.pass(20_000 - clock.now())
    throw new Stopped('B: "node b.js" had not served http://127.0.0.1:1/ by then')
  }
  const comparison = await renewing(renew, { arms, clock })
  expect(comparison).toMatchObject({ ended: 'refused', conclusion: { blocks: 1 } })
  expect(comparison.because).toMatch(
    /^B: "node b\.js" had .*; it was waited for 1\d\.\d s, for none before longer than 0\.1 s;/
  )
})

test('who leaves the last request without an answer is told of first', async () => {
  const { arms, clock } = createVirtualArms(slower(0))
  const pair: typeof arms.pair = async (...given) => {
    const { a, b } = await arms.pair(...given)
    clock.pass(20_000 - clock.now())
    return { a, b: { ...b, requests: 40, failures: 1, errors: { unfinished: 1 } } }
  }
  const { comparison } = await comparing(slower(0), {
    arms: { ...arms, pair },
    clock,
    deadline: createDeadline(20, { clock }),
    pairsPerBlock: 6,
    stopped: () => clock.now() >= 20_000
  })
  expect(comparison.because).toMatch(
    /^B may hang: 1 of its last 40 requests had no answer, for 19\.\d s; the 20 s were over/
  )
})

test('several gates are refused each with its own budget and time', async () => {
  const p99 = { metric: 'p99' as const, margins: { nothing: 0.01, budget: Math.log(1.15) } }
  const changes = { noise: 0.8, seconds: 10, also: [p99] }
  const { comparison } = await comparing(slower(0), changes)
  expect(comparison.because).toMatch(
    /budget of 5\.0 % by p50 cannot .*; a budget of 15\.0 % by p99/
  )
  const [first, second] = comparison.plan!.gates
  expect([first!.metric, second!.metric]).toEqual(['p50', 'p99'])
  expect(second!.neededSeconds).toBeLessThan(first!.neededSeconds)
})

test('blocks on fresh processes renew before each of them', async () => {
  const { comparison, renewals } = await comparing(slower(20), { pairsPerBlock: 6 })
  expect(comparison.conclusion).toMatchObject({ verdict: 'regressed' })
  expect(renewals).toBe(comparison.conclusion!.blocks)
})

test('processes that differ among themselves are not mistaken for B', async () => {
  // Every process of either has its own speed, which six pairs on it all share.
  const behave: Behaviour = (arm, _, renewals) => {
    const luck = Math.sin(renewals * (arm === 'a' ? 12.9898 : 78.233)) * 0.1
    return { p50Us: 1_000 * (1 + luck) }
  }
  const { comparison } = await comparing(behave, { pairsPerBlock: 6, seconds: 120 })
  expect(comparison.conclusion?.verdict).not.toBe('regressed')
  expect(comparison.conclusion?.verdict).not.toBe('improved')
})

test('a target that does not answer is not compared', async () => {
  const { comparison } = await comparing((arm) =>
    arm === 'b' ? { p50Us: null, failures: 100 } : {}
  )
  expect(comparison).toMatchObject({ ended: 'blocked', because: expect.stringMatching(/^B does/) })
})

test('half of the few requests of one warm-up failing is no reason not to compare', async () => {
  const behave: Behaviour = (arm, _, renewals) => {
    const failures = arm === 'b' && renewals === 3 ? 1 : 0
    return { requests: 2, failures, errors: { '5xx': failures } }
  }
  const { comparison } = await comparing(behave, { pairsPerBlock: 6, seconds: 120 })
  expect(comparison.ended).not.toBe('blocked')
})

test('a stop and a machine that is not fit end it without a verdict', async () => {
  let asked = 0
  const stopped = await comparing(slower(0), { stopped: () => asked++ > 20 })
  expect(stopped.comparison).toMatchObject({ ended: 'interrupted' })
  const unfit = await comparing(() => ({ reasons: ['busy'] }))
  expect(unfit.comparison).toMatchObject({
    ended: 'invalid',
    because: expect.stringMatching(/busy/)
  })
})

test('a slow target gets trials long enough for its percentile', async () => {
  const { progress } = await comparing(() => ({ p50Us: 1_000, perSecond: 200 }), {
    metric: 'p99'
  })
  const planned = progress.find(({ kind }) => kind === 'planned')
  expect(planned).toMatchObject({ trialMs: 600 })
})

test.each([
  ['are enough', () => 0.02, 60],
  ['tell too little', (trialMs: number) => (trialMs < 100 ? 0.5 : 0.02), 180],
  ['tell as little as longer ones', () => 0.5, 60]
])('where short trials %s', async (_, noise, trialMs) => {
  const { progress } = await comparing(slower(0), { noise })
  expect(progress.find(({ kind }) => kind === 'planned')).toMatchObject({ trialMs })
})

test.each([3, 10, 30, 60])('in %i s it is over, however busy the machine', async (seconds) => {
  for (const slowedBy of [1, 3, 20]) {
    for (const pairsPerBlock of [1, 6]) {
      const given = { seconds, pairsPerBlock, slowedBy, renewMs: () => 300 }
      const { comparison, ms } = await comparing(slower(0), given)
      // One pair that was begun in time may take longer than it should, and so may a renewal.
      const pairMs = 2 * slowedBy * (30 * seconds + 20)
      expect(ms).toBeLessThanOrEqual(seconds * 1_000 + pairMs + 300)
      expect(['decided', 'refused']).toContain(comparison.ended)
    }
  }
})

test('when the time is up first, what was measured is told, without a verdict', async () => {
  const { comparison } = await comparing(slower(50), { seconds: 3, slowedBy: 10 })
  expect(comparison).toMatchObject({
    ended: 'refused',
    because: expect.stringMatching(/in 3 s here: no more than \d+ blocks? fits? in/),
    conclusion: { verdict: 'inconclusive' }
  })
  expect(comparison.conclusion!.ratio).toBeCloseTo(1.5, 0)
})

test('a regression that there is no time to see again is none', async () => {
  const { comparison } = await comparing(slower(50), { renewMs: (n) => (n === 0 ? 50 : 55_000) })
  expect(comparison).toMatchObject({
    ended: 'decided',
    conclusion: { verdict: 'inconclusive', because: expect.stringMatching(/no time to see that/) }
  })
})

test('what was measured before a stop, or before a target that ends, is told', async () => {
  let asked = 0
  const stopped = await comparing(slower(10), { stopped: () => asked++ > 60 })
  expect(stopped.comparison).toMatchObject({
    ended: 'interrupted',
    conclusion: { verdict: 'inconclusive', because: 'on request' }
  })
  expect(stopped.comparison.conclusion!.ratio).toBeCloseTo(1.1, 1)
  const gone = await comparing((arm, n, renewals, load) => {
    const isGone = arm === 'b' && renewals > 1
    return isGone ? { p50Us: null, failures: 100 } : slower(10)(arm, n, renewals, load)
  })
  expect(gone.comparison).toMatchObject({
    ended: 'blocked',
    because: expect.stringMatching(/^B does not answer/),
    conclusion: { verdict: 'inconclusive' }
  })
})

test('targets that go on the way leave no verdict, though the rest had shown one', async () => {
  const { comparison } = await comparing((_, n) => (n > 60 ? { p50Us: null, failures: 100 } : {}))
  expect(comparison).toMatchObject({
    ended: 'blocked',
    because: expect.stringMatching(/^B failed .*, A \d+ of \d+; A does not answer/),
    conclusion: { verdict: 'inconclusive' }
  })
})

test.each([
  ['timeout', 'from the start', 0],
  ['unfinished', 'from the start', 0],
  ['unfinished', 'on the way', 60]
])('a target of which requests end as %s, %s, is said to hang', async (ending, _, from) => {
  const silent = { p50Us: null, requests: 50, failures: 50, errors: { [ending]: 50 } }
  const { comparison } = await comparing((arm, n) => (arm === 'b' && n >= from ? silent : {}))
  expect(comparison).toMatchObject({ ended: 'blocked' })
  expect(comparison.because).toMatch(
    /^(B failed .*; )?B hangs.*: (\d+) of its last \2 requests had no answer, for \d\.\d s$/
  )
})

test.each([
  ['one in five by luck of a few', 4, (n: number) => (n % 5 === 1 ? 2 : 0)],
  ['five in six', 12, () => 10]
])(
  'a B that fails more than an A that answers, %s, has regressed',
  async (_, requests, failing) => {
    const behave: Behaviour = (arm, n) => ({
      requests,
      failures: arm === 'b' ? failing(n) : 0,
      errors: { '5xx': arm === 'b' ? failing(n) : 0 }
    })
    const { comparison } = await comparing(behave, { seconds: 40 })
    expect(comparison).toMatchObject({
      ended: 'decided',
      conclusion: { verdict: 'regressed', worse: { metric: 'errors' } }
    })
  }
)

test('an A of which half of a few requests failed is asked on', async () => {
  const behave: Behaviour = (arm, n) => ({
    requests: 4,
    failures: arm === 'a' && n < 2 ? 2 : 0
  })
  const { comparison } = await comparing(behave, { seconds: 20 })
  expect(comparison.ended).not.toBe('blocked')
})

test.each([
  ['fail', (renewals: number) => (renewals > 0 ? 50 : 0), 'regressed', /^5\.\d+ % of B's requests/],
  [
    'fail no more',
    (renewals: number) => (renewals < 5 ? 50 : 0),
    'inconclusive',
    /5\.\d+ % of B.*no time to see/
  ]
])(
  'where one start fits a second look, processes that %s',
  async (_, failing, verdict, because) => {
    const { comparison } = await comparing(
      (arm, n, renewals) => ({
        requests: 1_000,
        failures: arm === 'b' ? failing(renewals) + (n % 3) * Math.sign(failing(renewals)) : 0
      }),
      { pairsPerBlock: 6, renewMs: () => 8_000 }
    )
    expect(comparison.conclusion).toMatchObject({
      verdict,
      because: expect.stringMatching(because)
    })
  }
)

test('processes that are not up when the time is over are named', async () => {
  const { arms, clock } = createVirtualArms(slower(0))
  const renew = async () => {
    clock.pass(20_000)
    throw new Stopped('B ("node b.js") did not serve http://127.0.0.1:1/')
  }
  const comparison = await renewing(renew, { arms, clock })
  expect(comparison).toMatchObject({
    ended: 'refused',
    because: expect.stringMatching(
      /^B \("node b\.js"\) did not serve http:.*; it was waited for 20\.0 s; the 20 s were over/
    )
  })
})
