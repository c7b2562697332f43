import { expect, test } from 'vitest'
import { delivery } from '../../../src/platform/logpush/delivery.ts'
import type { Job } from '../../../src/platform/logpush/job.ts'
import type { Amount } from '../../../src/platform/logpush/spool.ts'
import { settled, virtualClock } from './virtual.ts'

const limits = {
  intervalSeconds: { usual: 30, most: 300 },
  retryMs: { first: 1_000, most: 60_000 },
  batchRecords: 100,
  batchBytes: 10_000
}

/** Deliveries of a job or two, over a spool that only counts, with chance always in the middle. */
function delivering(
  more: { job?: Partial<Job>; chance?: number; waiting?: [number, Amount][] } = {}
) {
  const time = virtualClock()
  const waiting = new Map<number, Amount>(more.waiting)
  const sent: { job: number; at: number }[] = []
  const jobs = new Map([1, 2].map((id) => [id, { id, enabled: true, ...more.job } as Job]))
  const answer: { next: () => Promise<boolean> } = { next: async () => true }
  const deliveries = delivery({
    limits,
    spool: { waiting, forget: (id) => void waiting.delete(id) },
    clock: time.clock,
    chance: () => more.chance ?? 0.5,
    jobOf: (id) => jobs.get(id),
    async send({ id }) {
      sent.push({ job: id, at: time.clock.now() })
      const isArrived = await answer.next()
      if (isArrived) waiting.delete(id)
      return isArrived
    }
  })
  return {
    ...{ deliveries, time, waiting, sent, jobs },
    async add(id: number, records: number) {
      const before = waiting.get(id)?.records ?? 0
      waiting.set(id, { records: before + records, bytes: before + records })
      deliveries.wake(id)
      await settled()
    },
    reply: (next: () => Promise<boolean>) => void Object.assign(answer, { next })
  }
}

test('records wait for more until their time has come', async () => {
  const { add, time, sent } = delivering()
  await add(1, 1)
  await time.pass(29_999)
  await add(1, 1)
  expect(sent).toEqual([])
  await time.pass(1)
  expect(sent).toEqual([{ job: 1, at: 30_000 }])
  await time.pass(100_000)
  expect(sent).toHaveLength(1)
})

test('a job has an interval and a size of its own', async () => {
  const job = { max_upload_interval_seconds: 5, max_upload_records: 3 }
  const { add, time, sent } = delivering({ job })
  await add(1, 2)
  await time.pass(5_000)
  expect(sent.map(({ at }) => at)).toEqual([5_000])
  await add(1, 2)
  await add(1, 1)
  expect(sent.map(({ at }) => at)).toEqual([5_000, 5_000])
})

test('a full batch goes at once, and so does one that waited when the platform began', async () => {
  const { add, sent } = delivering({ waiting: [[2, { records: 100, bytes: 1 }]] })
  await settled()
  expect(sent).toEqual([{ job: 2, at: 0 }])
  await add(1, 99)
  expect(sent).toHaveLength(1)
  await add(1, 1)
  expect(sent).toHaveLength(2)
})

test.each([
  [0, 0.5],
  [0.5, 0.75],
  [1 - Number.EPSILON, 1]
])('after failures the pauses double up to the longest (chance %d)', async (chance, share) => {
  const { add, time, reply } = delivering({ chance })
  reply(async () => false)
  await add(1, 1)
  await time.pass(30_000)
  const pauses: number[] = []
  for (let failure = 0; failure < 9; failure++) {
    pauses.push(time.nextMs() / share)
    await time.pass(time.nextMs())
  }
  const doubled = [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000)
  expect(pauses.map(Math.round)).toEqual(doubled)
})

test('one batch of a job is under way at a time; other jobs do not wait for it', async () => {
  const { add, time, reply, sent } = delivering()
  const slow = Promise.withResolvers<boolean>()
  reply(() => slow.promise)
  await add(1, 100)
  await add(1, 500)
  await add(2, 100)
  await time.pass(1_000_000)
  expect(sent.map(({ job }) => job)).toEqual([1, 2])
  slow.resolve(true)
  await settled()
  expect(sent).toHaveLength(2)
})

test('delivering now waits for no time, and ends with the first failure', async () => {
  const { deliveries, add, reply, sent, time } = delivering()
  await deliveries.deliver(1)
  expect(sent).toEqual([])
  await add(1, 1)
  await deliveries.deliver(1)
  expect(sent).toHaveLength(1)
  reply(async () => false)
  await add(1, 1)
  await deliveries.deliver(1)
  await deliveries.deliver(1)
  expect(sent).toHaveLength(3)
  expect(time.clock.now()).toBe(0)
})

test('delivering now counts an attempt that began before as none', async () => {
  const { deliveries, add, reply, sent } = delivering()
  const before = Promise.withResolvers<boolean>()
  reply(() => before.promise)
  await add(1, 100)
  const done = deliveries.deliver(1)
  reply(async () => true)
  before.resolve(false)
  await done
  expect(sent).toHaveLength(2)
})

test('nothing is sent for a job that is off or gone', async () => {
  const { add, time, jobs, waiting, sent, deliveries } = delivering()
  jobs.get(1)!.enabled = false
  jobs.delete(2)
  await add(1, 100)
  await add(2, 100)
  await deliveries.deliver(1)
  await time.pass(1_000_000)
  expect(sent).toEqual([])
  expect([...waiting.keys()]).toEqual([1])
})

test('closing ends every wait, and sends nothing more', async () => {
  const { deliveries, add, sent, time } = delivering()
  await add(1, 1)
  await deliveries.close()
  expect(sent).toEqual([])
  expect(time.nextMs()).toBe(Infinity)
})
