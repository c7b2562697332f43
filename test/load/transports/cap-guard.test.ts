import { describe, expect, test } from 'vitest'
import { createMeterMemory } from '../../../src/caps.ts'
import { clock } from '../../../src/clock.ts'
import { mergeShares } from '../../../src/load/figures/result.ts'
import { closed, hold, open } from '../../../src/load/load.ts'
import { listenAt } from '../../listen-at.ts'
import { ask, sendPart } from '../ask.ts'

const capsOf = (change: object) => ({
  ...{ requestsPerSecond: 50, seconds: 60, untilMs: clock.now() + 60_000 },
  ...{ meter: createMeterMemory(), ...change }
})

/** A server, and the routes to it under caps. */
async function place(change: object = {}, manner: Parameters<typeof listenAt>[1] = {}) {
  const there = await listenAt('127.0.0.1', manner)
  const origin = `http://127.0.0.1:${there.port}`
  const routes = { [origin]: { addresses: ['127.0.0.1'], caps: capsOf(change) } }
  return { there, request: { url: `${origin}/` }, routes }
}

/** The most that can leave under caps in a time, with what may be made up for. */
const most = (seconds: number) => 50 * (seconds + 0.1) + 1

describe.each(['wire', 'uring', 'undici'] as const)('by %s', (transport) => {
  test('what is more than is authorised does not leave, and the load is invalid', async () => {
    const { there, request, routes } = await place()
    const load = { ...open(hold({ rate: 200, seconds: 1 })), timeoutMs: 300 }
    const { results, health } = await ask(request, load, { transport, routes })
    const times = there.times()
    expect(times.length).toBeLessThanOrEqual(most((times.at(-1)! - times[0]! + 150) / 1_000))
    expect(results[200]).toBeLessThanOrEqual(times.length)
    expect(results.withheld).toBeGreaterThan(0)
    expect(health.reasons).toContain(
      `${results.withheld} requests were not sent: no more is authorised`
    )
  })

  test('what waits for a connection does not leave all at once when there is one', async () => {
    const { there, request, routes } = await place({}, { firstMs: 600 })
    const load = { ...open(hold({ rate: 50, seconds: 1 })), connections: 1 }
    const { results } = await ask(request, load, { transport, routes })
    const times = there.times()
    expect(results[200]).toBeLessThanOrEqual(times.length)
    expect(times.length).toBeGreaterThan(20)
    for (const [n, from] of times.entries()) {
      for (const [more, to] of times.slice(n).entries()) {
        expect(more + 1).toBeLessThanOrEqual(most((to - from + 150) / 1_000))
      }
    }
  })

  test('two loads at once have one budget', async () => {
    const { there, request, routes } = await place()
    const load = { ...open(hold({ rate: 50, seconds: 1 })), timeoutMs: 300 }
    const one = () => sendPart(request, load, { transport, routes })
    const { tally } = mergeShares(await Promise.all([one(), one()]))
    const times = there.times()
    expect(times.length).toBeLessThanOrEqual(most((times.at(-1)! - times[0]! + 150) / 1_000))
    expect(tally.results.withheld).toBeGreaterThan(0)
  })

  test('nothing leaves once the last day is over, in the middle of a load', async () => {
    const untilMs = clock.now() + 1_000
    const { there, request, routes } = await place({ untilMs })
    const load = { ...open(hold({ rate: 50, seconds: 2 })), timeoutMs: 300 }
    const { results } = await ask(request, load, { transport, routes })
    expect(results[200]).toBeLessThanOrEqual(there.times().length)
    expect(results.withheld).toBeGreaterThan(40)
    expect(Math.max(...there.times())).toBeLessThan(untilMs + 250)
  })
})

test('autocannon, which keeps to nothing, sends nothing', async () => {
  const { there, request, routes } = await place()
  const load = closed({ connections: 1, iterations: 1, seconds: 5 })
  const asking = ask(request, load, { transport: 'autocannon', routes })
  await expect(asking).rejects.toThrow(/autocannon cannot keep to what is authorised/)
  expect(there.connections()).toBe(0)
})
