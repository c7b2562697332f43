import { expect, test } from 'vitest'
import { AllLost } from '../../src/engine/load-worker.ts'
import type { OpenLoad } from '../../src/load/load.ts'
import { random } from '../../src/random.ts'
import { normals } from '../statistics/noise.ts'
import { lanes, searching, type VirtualServer } from './virtual-capacity.ts'

/** A server that answers in a millisecond, and refuses what a token bucket has no token for. */
function bucket(
  { rate, burst }: { rate: number; burst: number },
  now: () => number
): VirtualServer {
  let tokens = burst
  let filledMs = 0
  return (load) => {
    const began = now()
    return lanes((_, sentMs) => {
      const at = began + sentMs
      tokens = Math.min(burst, tokens + ((at - filledMs) * rate) / 1_000)
      filledMs = at
      if (tokens < 1) return { ms: 1, status: 429 }
      tokens--
      return 1
    })()(load)
  }
}

/** One that leads half of those who ask elsewhere, as to a login. */
const leading = lanes((n) => ({ ms: 2, status: n % 2 === 0 ? 302 : 200 }))

test('what leads elsewhere has no capacity, unless that is what is asked for', async () => {
  const objective = { p99Us: 50_000, errorRatio: 0.001 }
  const held = async (redirectRatio?: number) =>
    (await searching(leading, { objective: { ...objective, redirectRatio } as never })).outcome
  expect(await held(0.1)).toEqual({
    ended: 'blocked',
    because: expect.stringMatching(/^50 % of the answers lead elsewhere \(302\), and/)
  })
  expect((await held()).ended).toBe('searched')
  expect((await held(1)).ended).toBe('searched')
})

/** The same with so many a second, which it allows anew as each second begins. */
function window(rate: number, now: () => number): VirtualServer {
  let second = 0
  let allowed = rate
  return (load) => {
    const began = now()
    return lanes((_, sentMs) => {
      const at = Math.floor((began + sentMs) / 1_000)
      if (at > second) allowed = rate
      second = at
      return allowed-- > 0 ? 1 : { ms: 1, status: 429 }
    })()(load)
  }
}

/** A server that does one after the other, and turns away who would wait too long. */
function overrun({ ms, waitMs }: { ms: number; waitMs: number }, now: () => number): VirtualServer {
  let freeMs = 0
  return (load) => {
    const began = now()
    return lanes((_, sentMs) => {
      const at = began + sentMs
      const wait = Math.max(0, freeMs - at)
      if (wait > waitMs) return { ms: 1, status: 503 }
      freeMs = Math.max(freeMs, at) + ms
      return wait + ms
    })()(load)
  }
}

test.each([
  [10, 400],
  [40, 100]
])('four lanes of %i ms each hold %i a second', async (ms, capacity) => {
  const { outcome, ms: took } = await searching(lanes(() => ms))
  if (outcome.ended !== 'searched') throw new Error(outcome.because)
  const { confirmed, interval, binding, ended } = outcome.capacity
  expect(ended).toBe('found')
  expect(confirmed! / capacity).toBeGreaterThan(0.95)
  expect(confirmed! / capacity).toBeLessThan(1.03)
  const [low, high] = interval!
  expect(high / low).toBeLessThanOrEqual(1.05)
  expect(low / capacity).toBeLessThan(1.03)
  expect(binding).toBe('latency')
  expect(took).toBeLessThanOrEqual(60_000)
})

test('of 20 intervals for a known capacity at least 18 contain it, and are narrow', async () => {
  const found: [number, number][] = []
  for (let seed = 1; seed <= 20; seed++) {
    // From trial to trial the target is a per cent quicker or slower.
    const normal = normals(random(seed, 'quickness'))
    const varying = () => {
      const serve = (factor: number) => lanes(() => 5 * factor)()
      return (load: OpenLoad) => serve(Math.exp(0.01 * normal()))(load)
    }
    const shape = { connections: 1, pipelining: 1, timeoutMs: 5_000 }
    const { outcome } = await searching(varying, { seed, seconds: 120, shape })
    if (outcome.ended !== 'searched') throw new Error(outcome.because)
    found.push(outcome.capacity.interval!)
  }
  const inside = found.filter(([low, high]) => low <= 200 && high >= 200)
  expect(inside.length).toBeGreaterThanOrEqual(18)
  for (const [low, high] of found) expect(high / low).toBeLessThan(1.06)
}, 120_000)

test.each([25, 32])('what no queue had time to show is not promised, in %i s', async (seconds) => {
  // Five lanes of 80 ms hold 62.5 a second; trials of half a second hold 67.
  const shape = { connections: 5, pipelining: 1, timeoutMs: 5_000 }
  const objective = { p99Us: 400_000, errorRatio: 0.01 }
  for (let seed = 1; seed <= 2; seed++) {
    const given = { seconds, seed, shape, objective, start: 5 }
    const { outcome } = await searching(
      lanes(() => 80),
      given
    )
    const { interval, lower, confirmed, trials } = outcome.capacity!
    expect(interval![0]).toBeLessThanOrEqual(62.5)
    expect(interval![1]).toBeGreaterThanOrEqual(62.5)
    expect(interval![0]).toBeLessThanOrEqual(confirmed!)
    const missed = trials.filter(({ purpose, outcome }) => {
      return purpose === 'confirm' && outcome === 'missed'
    })
    for (const { rate } of missed) expect(lower!).toBeLessThan(rate)
    expect(confirmed! / 62.5).toBeLessThan(1.02)
  }
})

test.each([
  [1_500, 4, 60],
  [1_500, 1, 60],
  [600, 4, 60]
])(
  'of requests of %i ms over %i lanes no more is promised in %i s than is served',
  async (...asked) => {
    const [ms, connections, seconds] = asked
    const shape = { connections, pipelining: 1, timeoutMs: 60_000 }
    const objective = { p99Us: 10_000 * ms, errorRatio: 0.01 }
    const { outcome } = await searching(
      lanes(() => ms),
      { seconds, shape, objective }
    )
    const { lower, upper, interval } = outcome.capacity!
    const served = (1_000 * connections) / ms
    expect(interval).toBeUndefined()
    expect(lower! / served).toBeGreaterThan(0.5)
    expect(lower! / served).toBeLessThanOrEqual(1)
    expect(upper! / served).toBeGreaterThan(1)
  }
)

test('the search begins where a single connection would be, or where it is told to', async () => {
  const rates = async (start?: number) =>
    (
      await searching(
        lanes(() => 10),
        { start }
      )
    ).trials[0]!.rate
  expect(await rates()).toBeCloseTo(50, 0)
  expect(await rates(120)).toBe(120)
})

test('a search ends as soon as a part of its generator is lost, with what it found', async () => {
  let sent = 0
  const lost = ['a machine is gone']
  const losing = (): VirtualServer => async (load) => ({
    ...(await lanes(() => 10)()(load)),
    ...(++sent >= 12 && { lost })
  })
  const { outcome, trials, loads } = await searching(losing)
  const because = 'a worker was lost: a machine is gone'
  expect(outcome).toMatchObject({ ended: 'lost', because, capacity: { trials } })
  expect(trials.length).toBeGreaterThan(3)
  expect(loads.length).toBe(12)
})

test('a search that nobody is left to send for ends with what it found', async () => {
  let sent = 0
  const losing = (): VirtualServer => async (load) => {
    if (++sent > 12) throw new AllLost('a machine is gone')
    return lanes(() => 10)()(load)
  }
  const { outcome, trials } = await searching(losing)
  const because = 'a worker was lost: a machine is gone'
  expect(outcome).toMatchObject({ ended: 'lost', because, capacity: { trials } })
  expect(trials.length).toBeGreaterThan(2)
  expect(sent).toBe(13)
})

test('no rate above the highest is ever sent', async () => {
  const { outcome, loads } = await searching(
    lanes(() => 1),
    { highest: 30 }
  )
  expect(Math.max(...loads.flatMap(({ phases }) => phases.map(({ to }) => to)))).toBeLessThan(
    30.001
  )
  expect(outcome).toMatchObject({ ended: 'searched', capacity: { ended: 'highest' } })
})

test.each([
  ['a token bucket of 0.02 s', (now: () => number) => bucket({ rate: 500, burst: 10 }, now)],
  ['a token bucket of 0.1 s', (now: () => number) => bucket({ rate: 500, burst: 50 }, now)],
  ['a token bucket of a second', (now: () => number) => bucket({ rate: 500, burst: 500 }, now)],
  ['a window of a second', (now: () => number) => window(500, now)]
])('%s is found by its rate', async (_, server) => {
  const { outcome, ms } = await searching(server, { seconds: 150 })
  if (outcome.ended !== 'searched') throw new Error(outcome.because)
  const { confirmed, binding, interval } = outcome.capacity
  expect(binding).toBe('errors')
  expect(confirmed! / 500).toBeGreaterThan(0.95)
  expect(confirmed! / 500).toBeLessThan(1.01)
  expect(interval![0]).toBeLessThanOrEqual(500)
  expect(interval![1]).toBeGreaterThanOrEqual(500)
  expect(interval![1] / interval![0]).toBeLessThan(1.06)
  expect(ms).toBeLessThanOrEqual(150_000)
})

test('a server that refuses because it is overrun is not overrun before each trial', async () => {
  const server = (now: () => number) => overrun({ ms: 5, waitMs: 500 }, now)
  const shape = { connections: 500, pipelining: 1, timeoutMs: 5_000 }
  const { outcome, trials } = await searching(server, { seconds: 120, shape })
  if (outcome.ended !== 'searched') throw new Error(outcome.because)
  expect(trials.some(({ binding }) => binding === 'errors')).toBe(true)
  const { confirmed, interval } = outcome.capacity
  expect(confirmed! / 200).toBeGreaterThan(0.95)
  expect(confirmed! / 200).toBeLessThan(1.03)
  expect(interval![1] / interval![0]).toBeLessThan(1.06)
})

test('after a miss the target is given time, until little load is quick again', async () => {
  const { loads, trials } = await searching(lanes(() => 10))
  const light = loads.filter(({ phases }) => phases[0]!.to === 50 && phases[0]!.seconds === 0.2)
  // Five of them come first, to see how quick it is.
  expect(light).toHaveLength(5 + trials.filter(({ outcome }) => outcome !== 'held').length)
})

test.each([6, 10, 20, 30, 60])(
  'in %i s it is over by then, whatever a trial takes',
  async (seconds) => {
    const servers = {
      quick: lanes(() => 2),
      overrun: (now: () => number) => overrun({ ms: 5, waitMs: 5_000 }, now),
      limited: (now: () => number) => bucket({ rate: 500, burst: 500 }, now)
    }
    for (const server of Object.values(servers)) {
      const { outcome, ms } = await searching(server, { seconds })
      expect(outcome.ended).toBe('searched')
      // A trial takes longer than it lasts when the target needs time to work off what came.
      expect(ms).toBeLessThanOrEqual(1.1 * seconds * 1_000)
    }
  }
)

test('a time that is up leaves what was held and missed until then', async () => {
  const { outcome, trials } = await searching(
    lanes(() => 10),
    { seconds: 4 }
  )
  if (outcome.ended !== 'searched') throw new Error(outcome.because)
  const { lower, upper, ended } = outcome.capacity
  expect(ended).toBe('time')
  const rates = (wanted: string) =>
    trials.flatMap(({ rate, outcome }) => (outcome === wanted ? rate : []))
  expect(rates('held')).toContain(lower)
  expect(rates('missed')).toContain(upper)
})

test('a stop ends it with what there is', async () => {
  let looks = 0
  const { outcome, trials } = await searching(
    lanes(() => 10),
    { stopped: () => looks++ > 40 }
  )
  expect(outcome.ended).toBe('interrupted')
  expect(trials.length).toBeGreaterThan(2)
  const held = trials.filter(({ outcome }) => outcome === 'held').map(({ rate }) => rate)
  expect(outcome.capacity!.trials).toEqual(trials)
  expect(outcome.capacity!.lower).toBe(Math.max(...held))
})

test('a target that has gone is blocked, with what it had held before', async () => {
  const gone = (now: () => number) => {
    const serve = lanes(() => 10)()
    return async (load: OpenLoad) => {
      const answered = await serve(load)
      if (now() < 8_000) return answered
      return { ...answered, tally: { ...answered.tally, results: { refused: answered.begun } } }
    }
  }
  const { outcome, trials, ms } = await searching(gone)
  expect(outcome).toMatchObject({
    ended: 'blocked',
    because: expect.stringMatching(/^the target answers no longer: .*refused/)
  })
  expect(outcome.capacity!.lower).toBeGreaterThan(50)
  // The trial that met nobody is no miss of the target's.
  expect(outcome.capacity!.trials).toEqual(trials.slice(0, -1))
  expect(ms).toBeLessThan(15_000)
})

test('a target that holds less once it was overrun is said to recover slowly', async () => {
  const hysteretic = (now: () => number): VirtualServer => {
    let until = -Infinity
    return (load) => {
      const rate = Math.max(...load.phases.map(({ to }) => to))
      const ms = now() < until ? 7 : 5
      if (rate * ms > 1_020) until = now() + 40_000
      return lanes(() => ms)()(load)
    }
  }
  const shape = { connections: 1, pipelining: 1, timeoutMs: 5_000 }
  const { outcome } = await searching(hysteretic, { seconds: 60, shape })
  expect(outcome.capacity!.unsteady).toMatchObject({
    kind: 'overload',
    because: expect.stringMatching(/^200\/s was held before .* recovers slowly after overload/)
  })
})
