import type { Line, LineMaker } from '../../../src/client/line.ts'
import type { Clock } from '../../../src/clock.ts'
import { surveyWait } from '../../../src/limit/time/survey-waits.ts'
import { parseAddress } from '../../../src/target/address.ts'

/** A clock that goes on to the next time that is waited for, as soon as all do wait. */
export function countedClock(): Clock {
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

/** How a target ends what lasts longer than it allows: when it looks, or as the next byte comes. */
export type Patience = { ms: number; everyMs?: number; looks?: 'byte'; lateMs?: () => number }

/** A target that counts from the connection on. */
export function patient(clock: Clock, { ms, everyMs, looks, lateMs }: Patience): LineMaker {
  const open = async (): Promise<Line> => {
    const begunAt = clock.now()
    const dueAt = begunAt + ms
    const lookAt = everyMs ? everyMs * Math.ceil((dueAt + 100) / everyMs) - 100 : dueAt
    let endsAt = looks === 'byte' ? Number.POSITIVE_INFINITY : lookAt + (lateMs?.() ?? 0)
    const line: Line = {
      begunAt,
      answers: [],
      say() {
        if (looks === 'byte' && clock.now() >= dueAt) endsAt = clock.now() + (lateMs?.() ?? 0)
        return clock.now()
      },
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

/** What is found of one from some time of its clock on. */
export async function patienceFound(patience: Patience, fromMs = 0) {
  const clock = countedClock()
  await clock.until(fromMs)
  const ordinary = { method: 'GET', path: '/', headers: [] }
  const maker = patient(clock, patience)
  const options = { maker, ordinary, clock, stopped: () => false, upToMs: 12_000 }
  const found = await surveyWait('body-time', options)
  return 'lines' in found ? found.lines : []
}
