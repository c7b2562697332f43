import { expect, onTestFinished, test, vi } from 'vitest'
import { Refused } from '../../src/engine/load-worker.ts'
import { createStop } from '../../src/engine/stop.ts'
import { snapshot } from '../../src/fleet/live-snapshot.ts'
import { toText } from '../../src/fleet/order.ts'
import { createPending } from '../../src/fleet/pending.ts'
import {
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../src/load/health/live-counters.ts'

/** Parts under way with agents `a` and `b`, in virtual time. */
function underWay() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const there = new Set(['a', 'b'])
  const calls: string[] = []
  const taken: number[] = []
  let isSilent = false
  let isHeld = true
  const pending = createPending({
    present: () => (isSilent ? new Promise(() => {}) : Promise.resolve([...there])),
    isHeld: async () => isHeld,
    stop: async (order) => void calls.push(`stop ${order}`),
    forget: async (order, agent) => void calls.push(`forget ${order} of ${agent}`),
    onTaken: (ms) => void taken.push(ms)
  })
  onTestFinished(pending.close)
  const add = (order: string, agent = 'a') => {
    const [live, stop] = [createLiveMemory(), createStop()]
    const result = pending.add(order, { agent, live: [live], stop: stop.buffer, limitMs: 10_000 })
    // What becomes of it is asked later.
    result.catch(() => {})
    return { live, stop, result }
  }
  const silence = () => {
    isSilent = true
  }
  const loseLease = () => {
    isHeld = false
  }
  return { ...pending, add, there, calls, taken, silence, loseLease }
}

const sign = () => ({ live: [snapshot(createLiveMemory())] })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a result arrives, and how it goes is seen meanwhile', async () => {
  const { add, sign: tell, complete, calls } = underWay()
  const { live, result } = add('1')
  const theirs = createLiveMemory()
  createLiveCounters(theirs).begin()
  tell('1', { live: [snapshot(theirs)] })
  expect(readLive([live], 0).begun).toBe(1)
  complete('1', toText({ result: { begun: 7 } }))
  expect(await result).toEqual({ begun: 7 })
  // Twice, and after the end, is of no account.
  complete('1', toText({ result: { begun: 8 } }))
  tell('1', sign())
  await pass(100_000)
  expect(calls).toEqual([])
})

test('an order that its agent does not take is taken back', async () => {
  const { add, calls } = underWay()
  const { result } = add('1')
  await pass(20_000)
  expect(calls).toEqual([])
  await pass(750)
  await expect(result).rejects.toThrow('a did not take it')
  expect(calls).toEqual(['forget 1 of a'])
})

test('without the lease nothing is waited for, though the agents are there', async () => {
  const { add, sign: tell, loseLease } = underWay()
  const { result } = add('1')
  tell('1', sign())
  await pass(1_000)
  loseLease()
  await pass(250)
  await expect(result).rejects.toThrow('the lease of the agents was lost')
})

test('an agent that is gone is not waited for, and others are', async () => {
  const { add, sign: tell, complete, there } = underWay()
  const [one, other] = [add('1', 'a').result, add('2', 'b').result]
  tell('1', sign())
  tell('2', sign())
  await pass(9_000)
  there.delete('a')
  await pass(250)
  await expect(one).rejects.toThrow('a is gone')
  complete('2', toText({ result: { begun: 1 } }))
  expect(await other).toEqual({ begun: 1 })
})

test('an agent that takes too long is not waited for', async () => {
  const { add, sign: tell } = underWay()
  const { result } = add('1')
  tell('1', sign())
  await pass(70_250)
  await expect(result).rejects.toThrow('a did not end it in time')
})

test('a Redis that answers no more ends the waiting', async () => {
  const { add, sign: tell, silence } = underWay()
  const { result } = add('1')
  tell('1', sign())
  await pass(1_000)
  silence()
  await pass(10_500)
  await expect(result).rejects.toThrow('the Redis answers no more')
})

test('how long orders take to be taken is told, once each', async () => {
  const { add, sign: tell, taken } = underWay()
  add('1')
  await pass(30)
  tell('1', {})
  await pass(500)
  tell('1', sign())
  expect(taken).toEqual([30])
})

test('a stop is passed on once', async () => {
  const { add, sign: tell, calls } = underWay()
  const { stop } = add('1')
  tell('1', sign())
  await pass(1_000)
  expect(calls).toEqual([])
  stop.request()
  await pass(1_000)
  expect(calls).toEqual(['stop 1'])
})

test('an agent that would not is told from one that could not', async () => {
  const { add, complete } = underWay()
  const { result } = add('1')
  complete('1', toText({ refused: 'not here' }))
  await expect(result).rejects.toBeInstanceOf(Refused)
})

test('how it goes, told in nonsense, is a part that is lost', async () => {
  const { add, sign: tell } = underWay()
  const { result } = add('1')
  tell('1', { live: ['nonsense'] })
  await expect(result).rejects.toThrow()
})

test('an answer that is none is a part that is lost', async () => {
  const { add, complete } = underWay()
  const { result } = add('1')
  complete('1', 'AAAA')
  await expect(result).rejects.toThrow(/deserialize/)
})

test('what fails there fails here', async () => {
  const { add, fail, close } = underWay()
  const [one, other] = [add('1').result, add('2').result]
  fail('1', new Error('out of memory'))
  await expect(one).rejects.toThrow('out of memory')
  close()
  await expect(other).rejects.toThrow('the fleet was given back')
})
