import { expect, test } from 'vitest'
import type { Line } from '../../../src/client/line.ts'
import type { Clock } from '../../../src/clock.ts'
import { surveyWait } from '../../../src/limit/time/survey-waits.ts'
import { parseAddress } from '../../../src/target/address.ts'

/** A clock that goes on to the next time that is waited for, as soon as all do wait. */
function countedClock(): Clock {
  const waiting: { time: number; wake: () => void }[] = []
  let [now, isGoing] = [0, false]
  const goOn = () => {
    const [next] = waiting.sort((a, b) => a.time - b.time)
    isGoing = next !== undefined
    if (next === undefined) return
    now = Math.max(now, next.time)
    while (waiting[0] !== undefined && waiting[0].time <= now) waiting.shift()!.wake()
    setImmediate(goOn)
  }
  return {
    now: () => now,
    until(time, signal) {
      if (time <= now) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const one = { time, wake: resolve }
      waiting.push(one)
      signal?.addEventListener('abort', () => {
        const place = waiting.indexOf(one)
        if (place >= 0) waiting.splice(place, 1)
        resolve()
      })
      if (!isGoing) setImmediate(goOn)
      isGoing = true
      return promise
    }
  }
}

/** A target that looks every so often, and ends what is older than it allows by then. */
function lookingAt(clock: Clock, { everyMs, ms }: { everyMs: number; ms: number }) {
  const open = async (): Promise<Line> => {
    const begunAt = clock.now()
    const endsAt = everyMs * Math.ceil((begunAt + ms + 100) / everyMs) - 100
    const line: Line = {
      begunAt,
      answers: [],
      say: () => clock.now(),
      async heard(forMs) {
        await clock.until(Math.min(endsAt, clock.now() + forMs))
        if (clock.now() >= endsAt) line.ending ??= { at: clock.now(), how: 'closed' }
      },
      close() {}
    }
    return line
  }
  return { address: parseAddress('http://127.0.0.1'), open, turn: async () => true }
}

test.each([
  { everyMs: 2_500, ms: 9_000 },
  { everyMs: 700, ms: 2_000 },
  { everyMs: 5_000, ms: 3_300 }
])('of %j the least and the most time are told', async ({ everyMs, ms }) => {
  const clock = countedClock()
  const ordinary = { method: 'GET', path: '/', headers: [] }
  const maker = lookingAt(clock, { everyMs, ms })
  const options = { maker, ordinary, clock, stopped: () => false, upToMs: 12_000 }
  const found = await surveyWait('body-time', options)
  const lines = 'lines' in found ? found.lines : []
  expect(lines.length).toBe(2)
  for (const { reading } of lines) {
    if (reading.kind !== 'found') throw new Error(`${reading.kind}`)
    const [least, most] = [reading.ms, reading.ms + reading.lateMs]
    expect(least).toBeGreaterThanOrEqual(ms)
    expect(least).toBeLessThanOrEqual(ms + Math.max(50, ms / 100))
    expect(most).toBeGreaterThanOrEqual(ms + everyMs)
    expect(most).toBeLessThanOrEqual(least + 1.05 * everyMs)
  }
})

test('how often it looks is not made out where there is no time to see it', async () => {
  const clock = countedClock()
  const ordinary = { method: 'GET', path: '/', headers: [] }
  const maker = lookingAt(clock, { everyMs: 30_000, ms: 60_000 })
  const stopped = () => clock.now() > 100_000
  const found = await surveyWait('body-time', {
    ...{ maker, ordinary, clock, stopped, upToMs: 95_000 }
  })
  const lines = 'lines' in found ? found.lines : []
  expect(lines.map(({ reading }) => reading.kind)).toEqual(['unclear', 'unclear'])
})
