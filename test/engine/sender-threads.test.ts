import { expect, onTestFinished, test, vi } from 'vitest'
import { createSender } from '../../src/engine/send-load.ts'
import { createSenderThreads } from '../../src/engine/sender-threads.ts'
import { createStop, Stopped } from '../../src/engine/stop.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed } from '../../src/load/load.ts'
import { answer, listen } from '../load/server.ts'

const withStatus = (status: number) => answer(`HTTP/1.1 ${status} Any\r\nContent-Length: 0\r\n\r\n`)
const load = closed({ connections: 3, iterations: 30, seconds: 60 })

function senderTo(
  urls: readonly string[],
  workers: number,
  stop = createStop(),
  timeoutMs = 1_000
) {
  const threads = createSenderThreads(workers)
  onTestFinished(threads.close)
  const destinations = urls.map((url) => ({
    ...{ transport: 'wire' as const, connections: 3, pipelining: 1, timeoutMs },
    source: { requests: [{ url }] }
  }))
  const { open, trial } = createSender(threads, stop)
  return { trial, open: () => open(destinations), end: threads.close }
}

test('threads ask several targets in turn, over connections that stay', async () => {
  const [one, other] = [await listen(withStatus(200)), await listen(withStatus(404))]
  const sender = senderTo([one.url, other.url], 2)
  await sender.open()
  for (const [target, status] of [
    [0, 200],
    [1, 404],
    [0, 200]
  ] as const) {
    const { statuses, workers } = summary(await sender.trial(target, { load, seed: 1 }))
    expect(statuses).toEqual({ [status]: 30 })
    expect(workers).toBe(2)
  }
  expect([one.accepted(), other.accepted()]).toEqual([3, 3])
  await sender.open()
  await sender.trial(0, { load, seed: 1 })
  expect(one.accepted()).toBe(6)
})

test('there are no more threads than connections', async () => {
  const { url } = await listen(withStatus(200))
  const sender = senderTo([url], 8)
  await sender.open()
  expect(summary(await sender.trial(0, { load, seed: 1 })).workers).toBe(3)
})

test('what goes wrong in a thread is told, and does not hang', async () => {
  const { url } = await listen(withStatus(200))
  const sender = senderTo([url], 1)
  await expect(sender.trial(0, { load, seed: 1 })).rejects.toThrow()
  await sender.open()
  const cut = sender.trial(0, { load: closed({ connections: 3, seconds: 60 }), seed: 1 })
  await Promise.all([sender.end(), expect(cut).rejects.toThrow(/terminat/i)])
})

test('a thread that does not answer in time is waited for no longer', async () => {
  const asked = Promise.withResolvers<void>()
  const { url } = await listen(() => asked.resolve())
  const stop = createStop()
  const sender = senderTo([url], 1, stop)
  await sender.open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const trial = sender.trial(0, { load: closed({ connections: 3, seconds: 60 }), seed: 1 })
  // What it had told by then is kept, and so it has to have told something, or nothing, each time.
  await asked.promise
  vi.advanceTimersByTime(140_005)
  const lost = ['did not end within 140.005 s; its thread was ended']
  expect(await trial).toMatchObject({ lost, told: {}, health: { valid: false } })
  vi.useRealTimers()
  // The thread that takes its place can be asked again, once its connections are made.
  await sender.open()
})

test('a stop ends what a thread is at, or what it does not come to', async () => {
  let asked = 0
  const server = await listen(() => void asked++)
  const stop = createStop()
  const sender = senderTo([server.url], 1, stop, 60_000)
  await sender.open()
  const trial = sender.trial(0, { load: closed({ connections: 3, seconds: 60 }), seed: 1 })
  await vi.waitFor(() => expect(asked).toBe(3), 10_000)
  stop.request()
  expect(await trial).toMatchObject({ begun: 3, unfinished: 3 })
  // Nobody completes a handshake with it: its connections are never there.
  const secure = senderTo([server.url.replace('http:', 'https:')], 1, stop, 60_000)
  await expect(secure.open()).rejects.toThrow(Stopped)
})
