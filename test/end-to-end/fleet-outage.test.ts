import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Queue, QueueEvents } from 'bullmq'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { takeLease } from '../../src/fleet/lease.ts'
import { fromText, type PartOutcome, queueOf, toText } from '../../src/fleet/order.ts'
import { hold, open } from '../../src/load/load.ts'
import { hasRedis, startRedis } from '../redis.ts'
import { startAgent, startCounter } from './agents.ts'
import { plimsollJson, start } from './plimsoll.ts'

/** How long a command may take to end, on however slow a machine. */
const soonMs = 50_000

/** A connection to a Redis, which ends with the test. */
function asked(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  onTestFinished(() => redis.disconnect())
  return redis
}

/** How a process ended, or that it did not in time. */
function soon<Ended>(ended: Promise<Ended>): Promise<Ended | 'still there'> {
  const late = new Promise<'still there'>((resolve) =>
    setTimeout(() => resolve('still there'), soonMs).unref()
  )
  return Promise.race([ended, late])
}

describe.skipIf(!hasRedis())('what was told is kept', () => {
  test.each([
    ['when the Redis has lost it all', 'FLUSHALL'],
    ['when the Redis is gone', 'gone']
  ])(
    '%s',
    async (_, how) => {
      const [redis, target] = [await startRedis(), await startCounter()]
      await startAgent(redis.url)
      const load = ['load', target.url, '-r', '50', '-d', '10m', '--json', '--fleet', redis.url]
      const { ended } = start(load)
      await target.until(60)
      if (how === 'FLUSHALL') await asked(redis.url).flushall()
      else await redis.end()
      const came = await soon(ended)
      if (came === 'still there') throw new Error('the load goes on without its Redis')
      const { code, stdout, stderr } = came
      const { told, generator, requests } = JSON.parse(stdout)
      expect(stderr).toMatch(/^Sending from/)
      expect(told.finished).toBeGreaterThan(20)
      expect(told.begun).toBeLessThanOrEqual(target.asked())
      expect(told).toMatchObject({ parts: 1, failed: 0, response: { p50: expect.any(Number) } })
      expect([requests, generator.valid]).toEqual([0, false])
      expect(generator.reasons.join()).toMatch(/^a worker was lost: /)
      expect(code).toBe(3)
      if (how === 'gone') return
      let again: Awaited<ReturnType<typeof plimsollJson>> | undefined
      while (again?.json.statuses === undefined) {
        again = await plimsollJson('load', target.url, '-n', '20', '-c', '2', '--fleet', redis.url)
      }
      expect(again.json.statuses).toEqual({ 200: 20 })
    },
    180_000
  )
})

describe.skipIf(!hasRedis())('agents are awaited no longer than their Redis answers', () => {
  test.each([
    ['load', 'at the end of --wait', '2s', 3],
    ['compare', 'at the end of --wait', '2s', 3],
    ['capacity', 'by SIGINT', '10m', 130]
  ] as const)(
    '%s: %s',
    async (command, how, wait, code) => {
      const [redis, target] = [await startRedis(), await startCounter()]
      const to = command === 'compare' ? ['--a', target.url, '--b', target.url] : [target.url]
      const { child, ended } = start([command, ...to, '--fleet', redis.url, '--wait', wait])
      await new Promise((resolve) => child.stderr.once('data', resolve))
      await redis.end()
      if (how === 'by SIGINT') child.kill('SIGINT')
      expect(await soon(ended)).toMatchObject({
        code,
        stderr: expect.stringMatching(/0 of 1 are there\n.*no Redis answers any more at redis:/)
      })
      expect(target.asked()).toBe(0)
    },
    60_000
  )
})

describe.skipIf(!hasRedis())('an agent leaves when it is told to', () => {
  test.each([
    ['SIGTERM', 'idle', 'there'],
    ['SIGHUP', 'idle', 'there'],
    ['SIGTERM', 'idle', 'gone'],
    ['SIGHUP', 'idle', 'gone'],
    ['SIGINT', 'at work', 'gone']
  ] as const)(
    'by %s, %s, with its Redis %s',
    async (signal, what, where) => {
      const redis = await startRedis()
      const agent = await startAgent(redis.url)
      if (what === 'at work') {
        const target = await startCounter()
        start(['load', target.url, '-r', '50', '-d', '10m', '--fleet', redis.url])
        await target.until(20)
      }
      if (where === 'gone') await redis.end()
      agent.child.kill(signal)
      expect(await soon(agent.ended)).toMatchObject({ code: 0 })
    },
    60_000
  )
})

test('the platform ends by SIGHUP as it does by SIGTERM', async () => {
  const { child, ended } = start(['platform', '--port', '0', '--json'])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGHUP')
  expect(await soon(ended)).toMatchObject({ code: 0 })
}, 60_000)

test('a load that is told by SIGHUP keeps what was measured', async () => {
  const target = await startCounter()
  const { child, ended } = start(['load', target.url, '-r', '50', '-d', '10m', '--json'])
  await target.until(20)
  child.kill('SIGHUP')
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(JSON.parse(stdout).requests).toBeGreaterThan(0)
}, 60_000)

describe.skipIf(!hasRedis())('an agent sends within its own leave', () => {
  // It leads to this machine, and is no address of loopback.
  const anywhere = '0.0.0.0'
  const caps = { requestsPerSecond: 50, seconds: 4 }

  /** An agent of four threads with that leave, and orders put straight into its queue. */
  const commanded = async () => {
    const [redis, target] = [await startRedis(), await startCounter(anywhere)]
    const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-fleet-')), 'authorisation.json')
    const entry = { host: anywhere, authorisedBy: 'a test', until: '2099-12-31', ...caps }
    writeFileSync(file, JSON.stringify({ targets: [entry] }))
    const agent = await startAgent(redis.url, '--workers', '4', '--authorisation', file)
    const connection = asked(redis.url)
    const lease = (await takeLease(connection, 'a test'))!
    const queue = new Queue<string, string>(queueOf(agent.id), { connection })
    const events = new QueueEvents(queueOf(agent.id), { connection })
    await events.waitUntilReady()
    onTestFinished(async () => {
      await lease.release()
      await Promise.all([queue.close(), events.close()])
    })
    let count = 0
    const order = async (thread: number, bare: object) => {
      const sent = { id: `${count++}`, lease: lease.id, version, thread, limitMs: 10_000 }
      const text = toText({ ...sent, ...bare })
      const job = await queue.add('order', text, { jobId: `order-${sent.id}`, attempts: 1 })
      return job.waitUntilFinished(events).then((told): PartOutcome => fromText(told))
    }
    const connecting = { transport: 'wire', connections: 1, pipelining: 1, timeoutMs: 10_000 }
    const opening = (thread: number, url = target.url) => {
      const source = { requests: [{ url }] }
      const destinations = [{ ...connecting, verifyTls: true, source }]
      const share = { index: 0, count: 1 }
      return order(thread, { kind: 'open', destinations, share, withinMs: 1_000 })
    }
    const load = open(hold({ rate: 50, seconds: 3 }))
    const trial = (thread: number, change: object = {}) => {
      const asked = { kind: 'trial', to: [0], load, seed: 1, startAt: Date.now() + 1_000 }
      return order(thread, { ...asked, ...change })
    }
    return { target, load, opening, trial, close: (n: number) => order(n, { kind: 'close' }) }
  }

  test('which four loads at once have together', async () => {
    const { target, opening, trial, close } = await commanded()
    const threads = [0, 1, 2, 3]
    await Promise.all(threads.map((thread) => opening(thread)))
    const outcomes = await Promise.all(threads.map((thread) => trial(thread)))
    const refused = outcomes.flatMap((outcome) => ('refused' in outcome ? outcome.refused : []))
    expect(refused).toHaveLength(3)
    expect(refused.join()).toMatch(/it would be 100\/s, but the authorisation caps it at 50\/s/)
    expect(target.asked()).toBeLessThanOrEqual(3 * 50)
    expect(target.asked()).toBeGreaterThan(0)
    // Four seconds are four seconds, in however many loads.
    expect(await trial(0)).toMatchObject({ refused: expect.stringMatching(/longer than the 4 s/) })
    await Promise.all(threads.map(close))
    // What is over leaves room for the next.
    await opening(1)
    expect(await trial(1)).toHaveProperty('result')
  }, 60_000)

  test('and not what is no order, or leads elsewhere', async () => {
    const { target, load, opening, trial } = await commanded()
    const [phase] = load.phases
    const lasting = (...seconds: number[]) => ({
      load: { ...load, phases: seconds.map((one) => ({ ...phase, seconds: one })) }
    })
    await expect(trial(0, lasting(Number.NaN))).rejects.toThrow(/the order is none: .*seconds/)
    await expect(trial(0, lasting(1_000, -1_000))).rejects.toThrow(/the order is none: .*seconds/)
    expect(await opening(0, 'http://192.0.2.1/')).toMatchObject({
      refused: expect.stringMatching(/192\.0\.2\.1/)
    })
    await expect(trial(0)).rejects.toThrow(/it was given no connections to send over/)
    await opening(0)
    await expect(opening(4)).rejects.toThrow(/there is no thread 4 here/)
    const later = { startAt: Date.now() + 1e9 }
    await expect(trial(0, later)).rejects.toThrow(/the load begins too far ahead/)
    expect(target.asked()).toBe(0)
  }, 60_000)
})
