import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createBackstop } from '../../../../src/platform/functions/isolate/backstop.ts'
import { openUsage } from '../../../../src/platform/functions/isolate/process-usage.ts'

const MiB = 2 ** 20
const memoryBytes = 128 * MiB

type Moment = { cpuMs?: number; chargedMs?: number; residentMiB?: number; unanswered?: boolean }

/** Looks ten times a second at a process that does the same in each of so many seconds. */
function watched(seconds: number, moment: Moment, allowanceMs = 0) {
  const { cpuMs = 0, chargedMs = 0, residentMiB = 100, unanswered = false } = moment
  const backstop = createBackstop(memoryBytes)
  backstop.look({
    ...{ nowMs: 0, chargedUs: 0, allowanceMs },
    usage: { cpuUs: 0, residentBytes: 100 * MiB }
  })
  for (let look = 1; look <= seconds * 10; look++) {
    const usage = { cpuUs: look * cpuMs * 100, residentBytes: residentMiB * MiB }
    const verdict = backstop.look({
      ...{ nowMs: look * 100, usage, chargedUs: chargedMs * 100, allowanceMs },
      ...(unanswered && { unansweredSinceMs: 0 })
    })
    if (verdict) return { verdict, atMs: look * 100, unchargedUs: backstop.unchargedUs() }
  }
  return undefined
}

describe('processor time', () => {
  test('that nobody is charged for ends a process once it is more than those there may use', () => {
    const found = watched(60, { cpuMs: 1_000 }, 1_000)
    expect(found).toMatchObject({ verdict: 'exceededCpu' })
    expect(found!.atMs).toBeLessThan(4_000)
    expect(found!.unchargedUs).toBeGreaterThan(3_000_000)
  })

  test('of threads beside the one that is charged counts as well', () => {
    expect(watched(60, { cpuMs: 2_000, chargedMs: 5 })?.verdict).toBe('exceededCpu')
  })

  test('that is charged does not, with all that the platform needs for it', () => {
    expect(watched(600, { cpuMs: 1_000, chargedMs: 300 })).toBeUndefined()
  })

  test('of a process at rest does not', () => {
    expect(watched(3_600, { cpuMs: 20 })).toBeUndefined()
  })

  test('that was charged back cannot be had: a charge is never negative', () => {
    expect(watched(60, { cpuMs: 50, chargedMs: -1e9 })).toBeUndefined()
    expect(watched(60, { cpuMs: 1_000, chargedMs: -1e9 })?.verdict).toBe('exceededCpu')
  })
})

test('memory beyond what V8 may have of it ends a process at once', () => {
  expect(watched(1, { residentMiB: 700 })).toBeUndefined()
  expect(watched(1, { residentMiB: 800 })).toMatchObject({ verdict: 'exceededMemory', atMs: 100 })
})

test('a host that does not answer is taken for dead, and one that does is not', () => {
  expect(watched(60, { unanswered: true })?.verdict).toBe('internal')
  expect(watched(60, {})).toBeUndefined()
})

test('where the kernel does not tell, only heartbeats count', () => {
  const backstop = createBackstop(memoryBytes)
  const standing = { chargedUs: 0, allowanceMs: 0 }
  expect(backstop.look({ ...standing, nowMs: 0 })).toBeUndefined()
  expect(backstop.look({ ...standing, nowMs: 60_000, unansweredSinceMs: 1 })).toBe('internal')
})

test('the kernel tells of a process by its number, and of none that is not there', () => {
  const own = openUsage(process.pid)
  const before = own.read()!
  expect(before.residentBytes / process.memoryUsage.rss()).toBeCloseTo(1, 0)
  const untilUs = before.cpuUs + 50_000
  while (own.read()!.cpuUs < untilUs);
  own.close()
  expect([own.read(), openUsage(2 ** 22 + 1).read()]).toEqual([undefined, undefined])
})

test('of a process that is no more it tells nothing', async () => {
  const child = spawn('sleep', ['60'])
  const reader = openUsage(child.pid!)
  expect(reader.read()).toBeDefined()
  child.kill()
  await once(child, 'exit')
  expect(reader.read()).toBeUndefined()
  reader.close()
})
