import { expect, onTestFinished, test } from 'vitest'
import { createArms } from '../../../src/cli/targets/arms.ts'
import {
  idlest,
  numbersOf,
  pinnableProcessors,
  takeTurns
} from '../../../src/cli/targets/processors.ts'
import { createSender } from '../../../src/engine/send-load.ts'
import { createSenderThreads } from '../../../src/engine/sender-threads.ts'
import { createStop } from '../../../src/engine/stop.ts'
import { closed } from '../../../src/load/load.ts'
import { freePorts } from '../../free-ports.ts'

/** A command whose server says which processors it may run on. */
const telling = (port: number) =>
  `"${process.execPath}" -e "require('http').createServer((q, s) => s.end(/Cpus_allowed_list:` +
  `\\s*(\\S+)/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]))` +
  `.listen(${port}, '127.0.0.1')"`

async function armsAt(place?: () => Promise<number>) {
  const port = await freePorts(2)
  const side = (port: number) => ({ url: `http://127.0.0.1:${port}/`, command: telling(port) })
  const sides = { a: side(port), b: side(port + 1) }
  const destinations = [sides.a, sides.b].map(({ url }) => ({
    ...{ source: { requests: [{ url }] }, transport: 'http1' as const },
    ...{ connections: 1, pipelining: 1, timeoutMs: 5_000, verifyTls: false }
  }))
  const threads = createSenderThreads(1)
  const stop = createStop()
  const sender = createSender(threads, stop)
  const arms = createArms({ sides, sender, destinations, seed: 1, stop, place, senders: 1 })
  onTestFinished(async () => {
    await arms.close()
    await sender.close()
    await threads.close()
  })
  const placesOf = () =>
    Promise.all([sides.a, sides.b].map(({ url }) => fetch(url).then((reply) => reply.text())))
  return { arms, placesOf }
}

const known = pinnableProcessors()

test.runIf(known.length > 1)(
  'both sides of a start run on one processor',
  async () => {
    const { arms, placesOf } = await armsAt(takeTurns(known.slice(0, 2)))
    for (let start = 0; start < 3; start++) {
      await arms.renew()
      const [a, b] = await placesOf()
      expect(known.slice(0, 2).map(String)).toContain(a)
      expect(b).toBe(a)
    }
    const { a, b } = await arms.pair('a', closed({ connections: 1, seconds: 0.1 }))
    for (const { waited, cpuUsPerRequest } of [a, b]) {
      expect(waited).toBeGreaterThanOrEqual(0)
      expect(cpuUsPerRequest).toBeGreaterThan(0)
    }
  },
  30_000
)

test.runIf(known.length > 1)(
  'without such a processor both have all',
  async () => {
    const { arms, placesOf } = await armsAt()
    await arms.renew()
    for (const list of await placesOf()) expect(numbersOf(list)).toEqual(known)
  },
  30_000
)

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
