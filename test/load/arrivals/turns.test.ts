import { expect, test } from 'vitest'
import { createTurns } from '../../../src/load/arrivals/turns.ts'
import { closed } from '../../../src/load/load.ts'
import { random } from '../../../src/random.ts'
import { createVirtualWorkers } from '../../engine/virtual-workers.ts'

/** Turns of two, and what each did, by a clock that is set by hand. */
function watched(fewest: number, { most = fewest, withinMs = 10 } = {}) {
  const iterations = { fewest, most, withinMs }
  const times = { now: 0 }
  const turns = createTurns(2, { iterations, next: random(3), now: () => times.now })
  const began: number[] = []
  for (const [at, turn] of turns.of.entries()) turn.onBegin(() => void began.push(at))
  turns.begin()
  const on = () => turns.of.findIndex(({ isOn }) => isOn())
  return { of: turns.of, began, on, times }
}

test('only who has the turn takes of it, and no more than there is', () => {
  const { of, on } = watched(3)
  const [own, other] = [of[on()]!, of[1 - on()]!]
  expect([other.take(), own.take(), own.take(), own.take(), own.take()]).toEqual([
    ...[false, true, true],
    ...[true, false]
  ])
  other.pass()
  expect(own.isOn()).toBe(true)
})

test('each has one turn in every round, in an order that chance decides', () => {
  const { of, on, began } = watched(1)
  for (let n = 1; n < 200; n++) of[on()]!.pass()
  expect(began).toHaveLength(200)
  const firsts = Array.from({ length: 100 }, (_, round) => {
    const [first, second] = began.slice(2 * round)
    expect(first! + second!).toBe(1)
    return first
  })
  const zeros = firsts.filter((first) => first === 0).length
  expect(zeros).toBeGreaterThan(30)
  expect(zeros).toBeLessThan(70)
})

test('the time of a turn is of who had it', () => {
  const { of, on, times } = watched(1)
  const spent = [0, 0]
  for (let n = 1; n < 20; n++) {
    times.now += n
    spent[on()]! += n
    of[on()]!.pass()
  }
  expect(of.map(({ heldMs }) => heldMs())).toEqual(spent)
})

test('a turn has as many as fit its time, by those before, and no fewer than the fewest', () => {
  const taking = (msEach: number) => {
    const { of, on, times } = watched(1, { most: 4, withinMs: 10 })
    return Array.from({ length: 6 }, () => {
      const own = of[on()]!
      let count = 0
      while (own.take()) count++
      times.now += count * msEach
      own.pass()
      return count
    })
  }
  // Both have one in the first round, whose time is known in the next.
  expect(taking(1)).toEqual([1, 1, 4, 4, 4, 4])
  expect(taking(4)).toEqual([1, 1, 2, 2, 2, 2])
  expect(taking(50)).toEqual([1, 1, 1, 1, 1, 1])
})

const connecting = { transport: 'wire' as const, pipelining: 1, timeoutMs: 1_000 }
const requests = [{ url: 'http://127.0.0.1:1/' }]

/** What two destinations answer that take so long each, asked in turns for a second. */
async function inTurns(connections: number, msOf: (n: number) => number) {
  let atOnce = 0
  let most = 0
  const { workers, time } = createVirtualWorkers((n, sentMs) => {
    const ms = msOf(n)
    most = Math.max(most, ++atOnce)
    time.at(sentMs + ms, () => atOnce--)
    return { ms, status: 200 }
  })
  const [worker] = workers.all
  const destination = { ...connecting, connections, source: { requests } }
  await worker!.open({ destinations: [destination, destination], share, withinMs: 1 }, 1_000)
  const load = closed({ connections, seconds: 1 })
  const order = { to: [0, 1], load, seed: 1, startAt: 0, live: [], stop }
  const results = await time.during(worker!.trial(order, 5_000))
  return { results, most }
}

const share = { index: 0, count: 1 }
const stop = new SharedArrayBuffer(4)

test('two are never asked at once, each as often as the other, for half of the time', async () => {
  const { results, most } = await inTurns(1, () => 10)
  expect(most).toBe(1)
  const counts = results.map(({ tally }) => tally.response.count)
  expect(counts[0]! + counts[1]!).toBe(100)
  expect(Math.abs(counts[0]! - counts[1]!)).toBeLessThanOrEqual(4)
  for (const { fromMs, toMs, begun } of results) expect((toMs - fromMs) / begun).toBeCloseTo(10)
})

test('all users of one are asked in its turn, and no one of the other', async () => {
  const { results, most } = await inTurns(5, () => 10)
  expect(most).toBe(5)
  for (const { tally, fromMs, toMs } of results) {
    expect((1_000 * tally.response.count) / (toMs - fromMs)).toBeCloseTo(500)
  }
})

test('while one is waited for the other is not asked', async () => {
  const { results } = await inTurns(1, (n) => (n === 0 ? 300 : 1))
  expect(results.reduce((sum, { tally }) => sum + tally.response.count, 0)).toBe(701)
})
