import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createMetrics } from '../../src/load/figures/metrics.ts'
import { createSample } from '../../src/load/figures/sample.ts'
import { closed } from '../../src/load/load.ts'
import { ask } from './ask.ts'
import { answer, listen } from './server.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes alive after a collection. */
function alive(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** By how many bytes an activity, repeated, makes memory grow. */
async function growth(activity: () => Promise<void> | void): Promise<number> {
  await activity()
  const before = alive()
  await activity()
  await activity()
  return alive() - before
}

test('metrics take no more memory for more samples', async () => {
  const metrics = createMetrics()
  const sample = createSample()
  const record = () => {
    for (let n = 0; n < 100_000; n++) {
      sample.end = n % 10_000
      sample.status = 200 + (n % 300)
      sample.route = metrics.routeNumber(`/${n % 1_000}`)
      metrics.record(sample)
      metrics.recordCheck('holds', n % 2 === 0)
    }
  }
  expect(await growth(record)).toBeLessThan(200_000)
})

test('a load takes no more memory the longer it lasts', async () => {
  const { url } = await listen(answer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'))
  const seen: number[] = []
  let asked = 0
  // It is asked after each request whether to stop, which is when to look.
  const stopped = () => {
    if (++asked % 5_000 === 0) seen.push(alive())
    return false
  }
  await ask({ url }, closed({ users: 20, iterations: 30_000 }), { stopped })
  expect(seen.length).toBeGreaterThanOrEqual(5)
  // Fifty bytes kept for each request would be a million.
  expect(seen.at(-1)! - seen[1]!).toBeLessThan(500_000)
})
