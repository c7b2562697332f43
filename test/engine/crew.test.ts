import { expect, onTestFinished, test, vi } from 'vitest'
import { createCrew } from '../../src/engine/crew.ts'
import { createStop, Stopped } from '../../src/engine/stop.ts'
import { closed } from '../../src/load/load.ts'
import { summary } from '../../src/load/summary.ts'
import { answer, listen } from '../load/server.ts'

const withStatus = (status: number) => answer(`HTTP/1.1 ${status} Any\r\nContent-Length: 0\r\n\r\n`)
const load = closed({ connections: 3, iterations: 30, seconds: 60 })

function crewFor(urls: readonly string[], workers: number, stop = createStop(), timeoutMs = 1_000) {
  const targets = urls.map((url) => ({
    ...{ engine: 'wire' as const, connections: 3, pipelining: 1 },
    ...{ timeoutMs, verifyTls: true, requests: [{ url }] }
  }))
  const crew = createCrew({ workers, targets, stop })
  onTestFinished(crew.close)
  return crew
}

test('threads ask several targets in turn, over connections that stay', async () => {
  const [one, other] = [await listen(withStatus(200)), await listen(withStatus(404))]
  const crew = crewFor([one.url, other.url], 2)
  await crew.open(0)
  await crew.open(1)
  for (const [target, status] of [
    [0, 200],
    [1, 404],
    [0, 200]
  ] as const) {
    const { statuses, workers } = summary(await crew.trial(target, { load, seed: 1 }))
    expect(statuses).toEqual({ [status]: 30 })
    expect(workers).toBe(2)
  }
  expect([one.accepted(), other.accepted()]).toEqual([3, 3])
  await crew.open(0)
  await crew.trial(0, { load, seed: 1 })
  expect(one.accepted()).toBe(6)
})

test('there are no more threads than connections', async () => {
  const { url } = await listen(withStatus(200))
  const crew = crewFor([url], 8)
  await crew.open(0)
  expect(summary(await crew.trial(0, { load, seed: 1 })).workers).toBe(3)
})

test('what goes wrong in a thread is told, and does not hang', async () => {
  const { url } = await listen(withStatus(200))
  const crew = crewFor([url], 1)
  await expect(crew.trial(0, { load, seed: 1 })).rejects.toThrow()
  await crew.open(0)
  const cut = crew.trial(0, { load: closed({ connections: 3, seconds: 60 }), seed: 1 })
  await Promise.all([crew.close(), expect(cut).rejects.toThrow('a load thread ended')])
})

test('a thread that does not answer in time is waited for no longer', async () => {
  const { url } = await listen(() => {})
  const stop = createStop()
  const crew = crewFor([url], 1, stop)
  await crew.open(0)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const trial = crew.trial(0, { load: closed({ connections: 3, seconds: 60 }), seed: 1 })
  const told = expect(trial).rejects.toThrow('a load thread did not answer within 140 s')
  vi.advanceTimersByTime(140_000)
  await told
  vi.useRealTimers()
  // Its answer to what was given up is of no account, and the thread can be asked again.
  stop.request()
  await crew.open(0)
})

test('a stop ends what a thread is at, or what it does not come to', async () => {
  let asked = 0
  const server = await listen(() => void asked++)
  const stop = createStop()
  const crew = crewFor([server.url], 1, stop, 60_000)
  await crew.open(0)
  const trial = crew.trial(0, { load: closed({ connections: 3, seconds: 60 }), seed: 1 })
  await vi.waitFor(() => expect(asked).toBe(3), 10_000)
  stop.request()
  expect(await trial).toMatchObject({ begun: 3, unfinished: 3 })
  // Nobody completes a handshake with it: its connections are never there.
  const secure = crewFor([server.url.replace('http:', 'https:')], 1, stop, 60_000)
  await expect(secure.open(0)).rejects.toThrow(Stopped)
})
