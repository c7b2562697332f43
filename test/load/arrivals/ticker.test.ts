import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { clock } from '../../../src/clock.ts'
import { createTicker } from '../../../src/load/arrivals/ticker.ts'
import { openTickerMemory } from '../../../src/load/arrivals/ticker-memory.ts'
import { createTimeline } from '../../../src/load/arrivals/timeline.ts'
import { random } from '../../../src/random.ts'

const never = 2 ** 30
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A ticker whose thread is there; a timer sees to nothing. */
async function readyTicker(graceMs = never) {
  const ticker = createTicker({ graceMs })
  ends.push(ticker.end)
  await new Promise<void>((resolve) => {
    const ask = () => ticker.wake(0, resolve) || setImmediate(ask)
    ask()
  })
  return ticker
}

// A wake that was lost would never come: each of these is waited for, and no timer helps.
test('of hundreds of orders none is lost, however soon it is due or replaced', async () => {
  const memory = openTickerMemory()
  const file = new URL('../../../src/load/arrivals/ticker-thread.ts', import.meta.url)
  const thread = new Worker(file, { workerData: memory.shared })
  ends.push(() => thread.terminate())
  const chance = random(18, 'orders')
  const own = new Int32Array(new SharedArrayBuffer(4))
  let heard = 0
  for (let n = 0; n < 500; n++) {
    const orders: Promise<void>[] = []
    do {
      // Past, at once, or soon: the thread is at any of its steps when the next one comes.
      const listen = memory.give(clock.now() + 0.3 * chance() - 0.1)
      if (chance() < 0.5) Atomics.wait(own, 0, 0, 0.2 * chance())
      orders.push(new Promise((resolve) => listen(resolve)))
    } while (chance() < 0.3)
    await Promise.all(orders)
    heard += orders.length
  }
  expect(heard).toBeGreaterThan(500)
})

test('calls one after another, each once and not much before its moment', async () => {
  const ticker = await readyTicker()
  let calls = 0
  for (let n = 0; n < 100; n++) {
    const due = clock.now() + 0.3
    await new Promise<void>((resolve) => {
      const look = () => {
        calls++
        if (clock.now() >= due) return resolve()
        // What is early looks again, and as it is called before a thread is asked again.
        if (!ticker.wake(Math.max(0, due - clock.now()), look)) throw new Error('still held')
      }
      ticker.wake(0.3, look)
      expect(ticker.wake(0.1, () => {})).toBe(false)
    })
  }
  expect(calls).toBeGreaterThanOrEqual(100)
  expect(ticker.usedMs()).toBeGreaterThan(0)
})

test('what a thread that is gone was to see to, a timer does', async () => {
  for (const inMs of [0, 5]) {
    const ticker = await readyTicker(2)
    const woken = new Promise<void>((resolve) => void ticker.wake(inMs, resolve))
    ticker.end()
    await woken
  }
})

test('who asks before there is a thread keeps the loop turning', async () => {
  const ticker = createTicker()
  ends.push(ticker.end)
  const timeline = createTimeline(clock, ticker)
  expect(ticker.wake(1, () => {})).toBe(false)
  const due = timeline.now() + 3
  await new Promise<void>((resolve) => {
    const look = () => (timeline.now() >= due ? resolve() : timeline.wakeAt(due, look))
    look()
  })
})
