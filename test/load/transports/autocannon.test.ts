import { describe, expect, test } from 'vitest'
import type { SendTarget } from '../../../src/load/link.ts'
import { closed, hold, type Load, open, ramp } from '../../../src/load/load.ts'
import { ask } from '../ask.ts'
import { answer, listen } from '../server.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

const autocannon: typeof ask = (request, load, options) =>
  ask(request, load, { transport: 'autocannon', ...options })

test('asks exactly as often as it should, in microseconds', async () => {
  const { url, accepted } = await listen(answer(ok))
  const { results, response, bytes, begun, connections, health } = await autocannon(
    { url },
    closed({ connections: 3, iterations: 100 })
  )
  expect(results).toEqual({ 200: 100 })
  expect(begun).toBe(100)
  expect(response.count).toBe(100)
  expect(bytes.received).toBe(100 * ok.length)
  expect(bytes.sent).toBeGreaterThan(0)
  expect(response.sumUs % 1_000).not.toBe(0)
  expect(connections.protocol).toBe('HTTP/1.1')
  expect(health.reasons).toEqual([])
  expect(accepted()).toBe(3)
})

test('interim responses without end are no answers, and it ends', async () => {
  const interims = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)
  const { url } = await listen((socket, _, before) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(interims));
    }
    if (before > 0) return
    socket.on('drain', pour)
    pour()
  })
  const load = closed({ connections: 2, seconds: 0.3, timeoutMs: 1_000 })
  const { results, faults } = await autocannon({ url }, load)
  expect(results[200] ?? 0).toBe(0)
  expect(Object.keys(results)).not.toContain('100')
  expect(Object.keys(faults).join()).toMatch(/takes interim responses for answers/)
}, 20_000)

test('shares its connections among workers', async () => {
  const { url } = await listen(answer(ok))
  const load = closed({ connections: 3, seconds: 0.2 })
  const { results } = await autocannon({ url }, load, { share: { index: 1, count: 2 } })
  expect(results[200]).toBeGreaterThan(0)
})

test('stops when time is up, and when it is asked to', async () => {
  const { url } = await listen(answer(ok))
  const timely = await autocannon({ url }, closed({ connections: 2, pipelining: 2, seconds: 0.2 }))
  expect(timely.results[200]).toBeGreaterThan(0)
  // Longer than this test may take.
  const hours = closed({ connections: 1, seconds: 3_600 })
  const asked = await autocannon({ url }, hours, { stopped: () => true })
  expect(asked.health.reasons).toEqual([])
})

test('a target that closes connections spoils its latencies, and is reported', async () => {
  const { url } = await listen((socket) => socket.end(ok))
  const { health } = await autocannon({ url }, closed({ connections: 1, seconds: 0.3 }))
  expect(health.reasons.join()).toContain('wrong requests')
})

test('a target that is not there is not stormed', async () => {
  const { url, close } = await listen(() => {})
  await close()
  const { results } = await autocannon({ url }, closed({ connections: 1, seconds: 60 }))
  expect(Object.keys(results)).toEqual(['refused'])
})

describe('what it cannot do truthfully is refused', () => {
  const url = 'http://127.0.0.1:9/'
  test.each<[string, SendTarget['request'], Load]>([
    ['keep an arrival rate', { url }, open(hold({ rate: 10, seconds: 1 }))],
    ['send more than one request', [{ url }, { url }], closed({ connections: 1, seconds: 1 })],
    ['send more than one request', () => ({ url }), closed({ connections: 1, seconds: 1 })],
    ['have users come and go', { url }, closed({ users: [ramp({ from: 0, to: 5, seconds: 1 })] })],
    ['pause between requests', { url }, closed({ connections: 1, seconds: 1, thinkMs: 5 })],
    ['give up a request', { url }, closed({ connections: 1, seconds: 1, timeoutMs: 500 })],
    ['verify certificates', { url: 'https://127.0.0.1:9/' }, closed({ connections: 1, seconds: 1 })]
  ])('%s', async (what, request, load) => {
    await expect(autocannon(request, load)).rejects.toThrow(what)
  })
})
