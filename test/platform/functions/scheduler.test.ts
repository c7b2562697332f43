import { serialize } from 'node:v8'
import { expect, test, vi } from 'vitest'
import type {
  Invocation,
  Outcome,
  QueueVerdict,
  Run
} from '../../../src/platform/functions/isolate/contract.ts'
import { openScheduler } from '../../../src/platform/functions/scheduler.ts'
import { queueService } from '../../../src/platform/functions/services/queue.ts'
import { objectState } from '../../../src/platform/functions/services/stateful.ts'
import { addTrigger } from '../../../src/platform/functions/trigger.ts'
import { stage } from './stage.ts'

type Fate = { outcome?: Outcome; queue?: QueueVerdict }

/** An scheduler whose functions end as they are told, and what they were started with. */
function office(fateOf: (invocation: Invocation) => Fate = () => ({})) {
  const at = stage()
  const account = at.account('standard')
  const target = at.deployed(account, { consumes: ['orders'] })
  const seen: any[] = []
  const run = (_: unknown, invocation: Invocation) => {
    seen.push(invocation)
    const { outcome = 'ok', queue } = fateOf(invocation)
    const answer = Promise.resolve({ status: 204, headers: [], body: null, queue })
    return { answer, record: Promise.resolve({ outcome }) } as unknown as Run
  }
  const scheduler = openScheduler(at, run)
  const queue = queueService(at, scheduler.wake)
  const send = (...bodies: unknown[]) =>
    queue.sendBatch!(
      { id: `${account.id}/orders`, args: [bodies.map((body) => ({ body }))] } as any,
      {} as any
    )
  const messages = () => at.store.all('SELECT id FROM message').length
  return { ...at, account, target, scheduler, seen, send, messages }
}

/** Lets everything happen that is due. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

test('schedules fire when the clock has come there, for the moment that was meant', async () => {
  const { scheduler, store, target, time, seen } = office()
  const now = time.now()
  const any = { most: 5, count: () => 0 }
  addTrigger(store, { target, cron: '*/5 * * * *', now }, any)
  scheduler.wake()
  expect(seen).toEqual([])
  time.forward(300_000)
  scheduler.wake()
  const event = { kind: 'scheduled', cron: '*/5 * * * *', scheduledMs: now + 300_000 }
  expect(seen).toMatchObject([event])
  await scheduler.fire(target)
  expect(seen[1]).toMatchObject({ kind: 'scheduled', cron: '', scheduledMs: time.now() })
  scheduler.close()
})

test('messages come in batches, one batch at a time, and are gone when all went well', async () => {
  const { scheduler, seen, send, messages } = office()
  await send(...Array.from({ length: 12 }, (_, index) => ({ index })))
  expect(seen.length).toBe(1)
  expect(seen[0]).toMatchObject({ kind: 'queue', queue: 'orders' })
  await settled()
  expect(seen.map(({ messages }) => messages.length)).toEqual([10, 2])
  expect(seen.flatMap(({ messages }) => messages.map(({ body }: any) => body.index))).toEqual(
    Array.from({ length: 12 }, (_, index) => index)
  )
  expect(messages()).toBe(0)
  scheduler.close()
})

test('messages are tried again when the handler fails, but not for ever', async () => {
  const { scheduler, seen, send, messages } = office(() => ({ outcome: 'exception' }))
  await send('a')
  await settled()
  expect(seen.map(({ messages }) => messages[0].attempts)).toEqual([1, 2, 3, 4])
  expect(messages()).toBe(0)
  scheduler.close()
})

test('a word on a message counts for more than how the handler ended', async () => {
  const { scheduler, seen, send } = office((invocation) => {
    const [first, second] = (invocation as any).messages
    if (first.attempts > 1) return {}
    const retried = second ? [second.id] : []
    return { outcome: 'exception', queue: { acknowledged: [first.id], retried } }
  })
  await send('a', 'b')
  await settled()
  const bodies = seen.map(({ messages }) => messages.map(({ body }: any) => body))
  expect(bodies).toEqual([['a', 'b'], ['b']])
  scheduler.close()
})

test('messages wait for a consumer, and for their time', async () => {
  const { scheduler, account, store, time, seen } = office()
  const add = 'INSERT INTO message (queue, id, body, at, due, attempts) VALUES (?, ?, ?, ?, ?, 0)'
  const now = time.now()
  store.run(add, `${account.id}/nobodys`, 'a', serialize('a'), now, now)
  store.run(add, `${account.id}/orders`, 'b', serialize('b'), now, now + 1_000)
  scheduler.wake()
  expect(seen).toEqual([])
  time.forward(1_000)
  scheduler.wake()
  expect(seen[0].messages).toEqual([{ id: 'b', atMs: now, attempts: 1, body: 'b' }])
  scheduler.close()
})

test('alarms go off once, and again later when they fail', async () => {
  let outcome: Outcome = 'exception'
  const { scheduler, store, target, time, seen } = office(() => ({ outcome }))
  const state = objectState(store, scheduler.wake)
  const object = { binding: `${target.id}/C`, className: 'C', id: 'x' }
  await state.setAlarm!({ args: [object, time.now()] } as any, {} as any)
  await settled()
  expect(seen).toMatchObject([{ kind: 'alarm', object, scheduledMs: time.now(), attempts: 1 }])
  time.forward(1_999)
  scheduler.wake()
  expect(seen.length).toBe(1)
  outcome = 'ok'
  time.forward(1)
  scheduler.wake()
  await settled()
  expect(seen[1]).toMatchObject({ attempts: 2, scheduledMs: time.now() - 2_000 })
  time.forward(86_400_000)
  scheduler.wake()
  expect(seen.length).toBe(2)
  scheduler.close()
})

test('wakes by itself', async () => {
  vi.useFakeTimers()
  const { scheduler, store, target, time, seen } = office()
  addTrigger(store, { target, cron: '* * * * *', now: time.now() }, { most: 5, count: () => 0 })
  scheduler.wake()
  time.forward(60_000)
  vi.advanceTimersByTime(60_000)
  expect(seen.length).toBe(1)
  scheduler.close()
  time.forward(60_000)
  vi.advanceTimersByTime(120_000)
  expect(seen.length).toBe(1)
  vi.useRealTimers()
})
