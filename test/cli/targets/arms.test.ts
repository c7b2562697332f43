import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createArms } from '../../../src/cli/targets/arms.ts'
import { anywhere, onOneProcessor, type Placement } from '../../../src/cli/targets/placement.ts'
import { idlest, numbersOf, pinnableProcessors } from '../../../src/cli/targets/processors.ts'
import { createSender } from '../../../src/engine/send-load.ts'
import { createSenderThreads } from '../../../src/engine/sender-threads.ts'
import { createStop } from '../../../src/engine/stop.ts'
import { closed } from '../../../src/load/load.ts'
import { freePorts } from '../../free-ports.ts'

const program = resolve(import.meta.dirname, 'telling.js')

/** Arms of servers of these kinds, and where these say that they may run; starts add to a file. */
async function armsOf(
  placement: Placement,
  kinds: [a: string, b: string] = ['', ''],
  log = '/dev/null'
) {
  const port = await freePorts(2)
  const [a, b] = kinds.map((kind, at) => ({
    url: `http://127.0.0.1:${port + at}/`,
    command:
      `echo ${'ab'[at]} >> "${log}"; ` +
      `exec "${process.execPath}" "${program}" ${port + at} ${kind}`
  }))
  const sides = { a: a!, b: b! }
  const destinations = [sides.a, sides.b].map(({ url }) => ({
    ...{ source: { requests: [{ url }] }, transport: 'http1' as const },
    ...{ connections: 1, pipelining: 1, timeoutMs: 5_000, verifyTls: false }
  }))
  const threads = createSenderThreads(1)
  const stop = createStop()
  const sender = createSender(threads, stop)
  const arms = createArms({ sides, sender, destinations, seed: 1, stop, placement, senders: 1 })
  onTestFinished(async () => {
    await arms.close()
    await sender.close()
    await threads.close()
  })
  const told = () =>
    Promise.all([sides.a, sides.b].map(({ url }) => fetch(url).then((reply) => reply.text())))
  const pair = () => arms.pair('a', closed({ connections: 1, seconds: 0.3 }))
  return { arms, told, pair }
}

const known = pinnableProcessors()
const all = (list: string | undefined) => expect(numbersOf(list!)).toEqual(known)

test.runIf(known.length > 1)(
  'from when the first start is warm both sides of each run on one processor',
  async () => {
    const placement = onOneProcessor({ isForced: true })
    const { arms, told, pair } = await armsOf(placement)
    await arms.renew()
    for (const list of await told()) all(list)
    const { a, b } = await pair()
    for (const { waited, cpuUsPerRequest } of [a, b]) {
      expect(waited).toBeGreaterThanOrEqual(0)
      expect(cpuUsPerRequest).toBeGreaterThan(0)
    }
    arms.settle!()
    for (let start = 0; start < 3; start++) {
      const [a, b] = await told()
      expect(known.map(String)).toContain(a)
      expect(b).toBe(a)
      await arms.renew()
    }
    // Who has ended is nowhere, and has not gone elsewhere.
    for (let time = 0; time < 2; time++) await arms.close()
    expect(placement.ranOn()).toEqual({ placed: 'one' })
  },
  30_000
)

test.runIf(known.length > 1)(
  'who leaves the processor that it was given is told',
  async () => {
    const placement = onOneProcessor({ isForced: true })
    const { arms, told } = await armsOf(placement, ['', 'freed'])
    await arms.renew()
    arms.settle!()
    await told()
    await arms.close()
    expect(placement.ranOn()).toMatchObject({
      placed: 'own',
      because: expect.stringMatching(/elsewhere$/)
    })
  },
  30_000
)

test.runIf(known.length > 1)(
  'without a placement both have all',
  async () => {
    const { arms, told } = await armsOf(anywhere())
    await arms.renew()
    arms.settle!()
    for (const list of await told()) all(list)
  },
  30_000
)

test('a server of one connection at a time is not held by ours as it is made anew', async () => {
  const { arms, pair } = await armsOf(anywhere(), ['alone', 'alone'])
  for (let start = 0; start < 2; start++) {
    await arms.renew()
    const { a, b } = await pair()
    for (const { requests, failures } of [a, b]) {
      expect(requests).toBeGreaterThan(0)
      expect(failures).toBe(0)
    }
  }
}, 60_000)

test('of every two starts each side is the first in one, in either order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-starts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = join(folder, 'starts')
  const { arms } = await armsOf(anywhere(), ['', ''], log)
  for (let start = 0; start < 12; start++) await arms.renew()
  const pairs = readFileSync(log, 'utf8').replaceAll('\n', '').match(/.{4}/g)!
  expect(new Set(pairs)).toEqual(new Set(['abba', 'baab']))
}, 30_000)

test('who uses several processors at once has all of them', () => {
  const ran = (usedByB: number, isForced = false) => {
    const placement = onOneProcessor({ isForced })
    const trial = (used: number) => ({
      ...{ p50Us: 1_000, p90Us: 1_000, p99Us: 1_000, requests: 60, failures: 0, errors: {} },
      ...{ perSecond: 1_000, cpuUsPerRequest: used * 1_000, reasons: [] }
    })
    // Code that is compiled at first takes several as well.
    for (const first of [2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0]) {
      placement.see({ a: trial(Math.max(1, first)), b: trial(Math.max(usedByB, first)) })
    }
    placement.settle()
    return placement.ranOn()
  }
  if (known.length === 0) return expect(ran(1).because).toMatch(/no taskset/)
  expect(ran(1.1)).toEqual({ placed: 'one' })
  expect(ran(1.8)).toMatchObject({
    placed: 'all',
    because: expect.stringMatching(/A uses 1\.0 of them at once and B 1\.8/)
  })
  expect(ran(1.8, true)).toEqual({ placed: 'one' })
})

test('a list of processors is read as the kernel writes it', () => {
  expect(numbersOf('0-1')).toEqual([0, 1])
  expect(numbersOf('3')).toEqual([3])
  expect(numbersOf('0,2-4,7')).toEqual([0, 2, 3, 4, 7])
  expect(numbersOf('')).toEqual([])
})

test('a processor that others keep busy is passed over, whatever its turn', () => {
  const look = (first: string, second: string) => `cpu  9 9 9 9\ncpu0 ${first}\ncpu1 ${second}\n`
  const before = look('100 0 50 900 7 0 1 0', '100 0 50 900 7 0 1 0')
  const found = (first: string, second: string) =>
    [[0, 1] as const, [1, 0] as const].map((inTurn) =>
      idlest(inTurn, [before, look(first, second)])
    )
  expect(found('100 0 50 908 7 0 1 0', '100 0 50 908 7 0 1 0')).toEqual([0, 1])
  expect(found('108 0 50 900 7 0 1 0', '101 0 50 907 7 0 1 0')).toEqual([1, 1])
  // What the host takes away is as good as busy, and waiting for a disk is not.
  expect(found('100 0 50 908 7 0 1 0', '100 0 50 902 7 0 1 6')).toEqual([0, 0])
  expect(found('100 0 50 900 15 0 1 0', '100 0 50 908 7 0 1 0')).toEqual([0, 1])
  expect(found('101 0 50 907 7 0 1 0', '100 0 50 908 7 0 1 0')).toEqual([0, 1])
})
