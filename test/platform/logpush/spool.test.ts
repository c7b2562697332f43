import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { deleteJob, jobWithId } from '../../../src/platform/logpush/job.ts'
import { openSpool } from '../../../src/platform/logpush/spool.ts'
import { stocked } from './stocked.ts'

const folder = mkdtempSync(join(tmpdir(), 'spool-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = '2024-01-08T09:30:00.000Z'
const size = { records: 1_000, bytes: 1_000_000 }
const lines = (job: number, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ job, line: `${from + index}\n` }))
const numbersOf = (text: string) => text.trimEnd().split('\n').map(Number)
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('records wait in their order, and go batch by batch', () => {
  const { store, addJob } = stocked()
  const spool = openSpool(store, { spoolBytes: 1_000_000 })
  const [one, other] = [addJob(), addJob()]
  expect(spool.next(one, size)).toBeUndefined()
  expect(spool.add([...lines(one, 1, 3), ...lines(other, 1, 1)])).toEqual([one, other])
  spool.add(lines(one, 4, 5))
  expect(spool.waiting.get(one)).toEqual({ records: 5, bytes: 10 })

  const first = spool.next(one, { records: 3, bytes: 1_000 })!
  expect(numbersOf(first.lines)).toEqual([1, 2, 3])
  expect(first.name).toMatch(/^[0-9a-f]{12}-000000000001-000000000003$/)
  spool.delivered(first, at)
  expect(spool.waiting.get(one)).toEqual({ records: 2, bytes: 4 })
  const second = spool.next(one, size)!
  expect(numbersOf(second.lines)).toEqual([4, 5])
  spool.delivered(second, at)
  expect([...spool.waiting.keys()]).toEqual([other])
  expect(jobWithId(store, one)).toMatchObject({ last_complete: at, error_message: null })
})

test('a batch that did not arrive stays as it is, whatever comes after it', () => {
  const { store, addJob } = stocked(folder)
  const job = addJob()
  const spool = openSpool(store, { spoolBytes: 1_000_000 })
  spool.add(lines(job, 1, 2))
  const batch = spool.next(job, size)!
  spool.failed(batch, { at, because: 'HTTP 500' })
  spool.add(lines(job, 3, 4))
  expect(spool.next(job, size)).toEqual(batch)
  expect(jobWithId(store, job)).toMatchObject({ last_error: at, error_message: 'HTTP 500' })

  // And after the process has ended, too.
  store.close()
  const again = stocked(folder)
  const later = openSpool(again.store, { spoolBytes: 1_000_000 })
  expect(later.waiting.get(job)).toEqual({ records: 4, bytes: 8 })
  expect(later.next(job, size)).toEqual(batch)
  later.delivered(batch, at)
  expect(later.next(job, size)!.name).toMatch(/-000000000003-000000000004$/)
  again.store.close()
})

test('a batch has as many rows as fit into it, and at least one', () => {
  const { store, addJob } = stocked()
  const spool = openSpool(store, { spoolBytes: 1_000_000 })
  const job = addJob()
  for (const at of [1, 3, 5]) spool.add(lines(job, at, at + 1))
  const sizes = [
    { records: 1, bytes: 1_000 },
    { records: 1_000, bytes: 1 },
    { records: 1_000, bytes: 7 }
  ]
  const taken = sizes.map((size) => {
    const batch = spool.next(job, size)!
    spool.delivered(batch, at)
    return numbersOf(batch.lines)
  })
  expect(taken).toEqual([
    [1, 2],
    [3, 4],
    [5, 6]
  ])
})

test('many records that come at once are cut into batches', () => {
  const { store, addJob } = stocked()
  const spool = openSpool(store, { spoolBytes: 1_000_000 })
  const job = addJob()
  spool.add(lines(job, 1, 1_234))
  const seen: number[] = []
  for (let batch = spool.next(job, { records: 500, bytes: 1e6 }); batch; ) {
    seen.push(...numbersOf(batch.lines))
    spool.delivered(batch, at)
    batch = spool.next(job, { records: 500, bytes: 1e6 })
  }
  expect(seen).toEqual(range(1, 1_234))
})

test('what there is no room for is lost and counted, and its numbers are missing', () => {
  const { store, addJob } = stocked()
  const spool = openSpool(store, { spoolBytes: 10 })
  const job = addJob()
  spool.add(lines(job, 1, 4))
  expect(spool.add(lines(job, 5, 7))).toEqual([job])
  expect(jobWithId(store, job)!.records_lost).toBe(3)
  spool.add(lines(job, 8, 8))
  const batch = spool.next(job, size)!
  expect(numbersOf(batch.lines)).toEqual([1, 2, 3, 4, 8])
  expect(batch.name).toMatch(/-000000000001-000000000008$/)
  spool.delivered(batch, at)
  spool.add(lines(job, 9, 9))
  expect(spool.waiting.get(job)).toEqual({ records: 1, bytes: 2 })
})

test('a job that is gone takes what waited for it along', () => {
  const { store, addJob } = stocked()
  const spool = openSpool(store, { spoolBytes: 1_000 })
  const job = addJob()
  spool.add(lines(job, 1, 2))
  deleteJob(store, job)
  expect(spool.next(job, size)).toBeUndefined()
  spool.forget(job)
  expect(spool.add(lines(job, 3, 4))).toEqual([])
  expect(openSpool(store, { spoolBytes: 1_000 }).waiting.size).toBe(0)
})
