import { expect, test } from 'vitest'
import {
  type Connection,
  createConnections
} from '../../../../../src/platform/functions/isolate/host/connections.ts'
import { lookMs } from '../../../../../src/platform/functions/isolate/host/deadlock.ts'
import {
  type IsolateRules,
  isolateRules
} from '../../../../../src/platform/functions/isolate/rules.ts'

/** Six connections at most, on a clock that moves when it is told to. */
function open(rules: Partial<IsolateRules> = {}) {
  let now = 0
  let work = 0
  let isAtWork = false
  let timers: { at: number; then: () => void }[] = []
  const events: string[] = []
  const connections = createConnections({
    limit: 6,
    rules: { ...isolateRules, ...rules },
    now: () => now,
    later: (ms, then) => timers.push({ at: now + ms, then }),
    trace: () => (isAtWork ? undefined : String(work))
  })
  const want = (name: string): Connection => {
    const connection: Connection = {
      start: () => events.push(`start ${name}`),
      sacrifice() {
        events.push(`sacrifice ${name}`)
        connections.release(connection)
      },
      refuse: () => events.push(`refuse ${name}`)
    }
    connections.want(connection)
    now++
    return connection
  }
  return {
    ...connections,
    want,
    /** So many that are named by their place. */
    wantAll: (count: number) => Array.from({ length: count }, (_, index) => want(`${index}`)),
    events,
    work: () => work++,
    setAtWork(is: boolean) {
      isAtWork = is
    },
    waiting: () => timers.length,
    pass(ms: number) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { then } of due) then()
    }
  }
}

const starts = (count: number) => Array.from({ length: count }, (_, index) => `start ${index}`)

test('six open at once, and the seventh when one is closed', () => {
  const { wantAll, release, events } = open()
  const all = wantAll(8)
  expect(events).toEqual(starts(6))
  release(all[3]!)
  expect(events).toEqual(starts(7))
  release(all[6]!)
  expect(events).toEqual(starts(8))
})

test('what gives up waiting never opens', () => {
  const { wantAll, release, events } = open()
  const all = wantAll(8)
  release(all[6]!)
  release(all[0]!)
  expect(events).toEqual([...starts(6), 'start 7'])
})

test('while something is awaited there is no deadlock', () => {
  const { wantAll, idle, pass, events } = open()
  const all = wantAll(7)
  for (const connection of all.slice(0, 5)) idle(connection)
  pass(10 * lookMs)
  expect(events).toEqual(starts(6))
})

test('without anybody waiting there is no deadlock', () => {
  const { wantAll, idle, pass, events, waiting } = open()
  for (const connection of wantAll(6)) idle(connection)
  pass(10 * lookMs)
  expect(events).toEqual(starts(6))
  expect(waiting()).toBe(0)
})

/** All six have headers; the first one has then been read from. */
function deadlock(rules: Partial<IsolateRules> = {}) {
  const opened = open(rules)
  const all = opened.wantAll(7)
  for (const connection of all.slice(0, 6)) {
    opened.idle(connection)
    opened.pass(1)
  }
  opened.busy(all[0]!)
  opened.idle(all[0]!)
  return { ...opened, all }
}

test.each([
  { victim: 'least recently used', ended: 'sacrifice 1' },
  { victim: 'first opened', ended: 'sacrifice 0' },
  { victim: 'last', ended: 'sacrifice 0' }
] as const)('a deadlock ends the $victim', ({ victim, ended }) => {
  const { pass, events } = deadlock({ deadlockVictim: victim })
  pass(lookMs)
  expect(events).toEqual(starts(6))
  for (let round = 0; round < 3; round++) pass(lookMs)
  expect(events.slice(0, 8)).toEqual([...starts(6), ended, 'start 6'])
})

test('by other rules a deadlock is for ever', () => {
  const { pass, events } = deadlock({ deadlockVictim: 'none' })
  for (let round = 0; round < 10; round++) pass(lookMs)
  expect(events).toEqual(starts(6))
})

test('a function at work is not deadlocked yet, but in the end it is', () => {
  const { pass, events, work } = deadlock()
  for (let round = 0; round < 10; round++) {
    work()
    pass(lookMs)
  }
  expect(events).toEqual(starts(6))
  for (let round = 0; round < 3; round++) pass(lookMs)
  expect(events).toContain('sacrifice 1')
})

test('a function that is at work all the time is waited for, but not for ever', () => {
  const { pass, events, setAtWork } = deadlock()
  setAtWork(true)
  for (let round = 0; round < 30; round++) pass(lookMs)
  expect(events).toEqual(starts(6))
  for (let round = 0; round < 20; round++) pass(lookMs)
  expect(events).toContain('sacrifice 1')
})

test('a read in time prevents it', () => {
  const { all, busy, pass, events } = deadlock()
  busy(all[2]!)
  pass(10 * lookMs)
  expect(events).toEqual(starts(6))
})

test('each one that waits can cost another', () => {
  const { wantAll, idle, pass, events } = open()
  const all = wantAll(9)
  for (const connection of all.slice(0, 6)) idle(connection)
  for (let round = 0; round < 6; round++) pass(lookMs)
  // The one that took the first one's place has not been answered: nothing is stuck any more.
  expect(events).toEqual([...starts(6), 'sacrifice 0', 'start 6'])
  idle(all[6]!)
  for (let round = 0; round < 6; round++) pass(lookMs)
  expect(events.slice(-2)).toEqual(['sacrifice 1', 'start 7'])
})

test('by other rules a seventh is refused', () => {
  const { wantAll, events } = open({ beyondConnections: 'refuse' })
  wantAll(7)
  expect(events).toEqual([...starts(6), 'refuse 6'])
})

test('nothing opens once all is closed', () => {
  const { wantAll, close, release, events } = open()
  const all = wantAll(8)
  close()
  release(all[0]!)
  expect(events).toEqual(starts(6))
})
