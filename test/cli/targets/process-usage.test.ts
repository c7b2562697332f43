import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { figuresOf, usageOf } from '../../../src/cli/targets/process-usage.ts'

/** A process that says how much processor time it has spent, then waits for its end of input. */
const spender = `
  const end = process.hrtime.bigint() + 200_000_000n
  while (process.hrtime.bigint() < end);
  const { user, system } = process.cpuUsage()
  console.log(user + system)
  process.stdin.resume()`

test.runIf(process.platform === 'linux')('a group is told as it tells itself', async () => {
  const child = spawn(process.execPath, ['-e', spender], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const [said] = await once(child.stdout, 'data')
  const usage = usageOf([child.pid!])!
  child.stdin.end()
  await once(child, 'exit')
  // Threads that come and go, and the moment between the two looks, make the difference.
  expect(usage.cpuUs / Number(String(said))).toBeGreaterThan(0.5)
  expect(usage.cpuUs / Number(String(said))).toBeLessThan(2)
  expect(usage.rssBytes).toBeGreaterThan(1e6)
  expect(usageOf([child.pid!])).toBeUndefined()
})

/** Spends so much processor time, however long that takes. */
const spend = (ms: number) =>
  `while (process.threadCpuUsage().user < ${ms} * 1_000) for (let n = 0; n < 1e6; n++);`

test.runIf(process.platform === 'linux')(
  'what threads and children spent counts when they have ended',
  async () => {
    const brief = `
      const { Worker } = require('node:worker_threads')
      const { spawnSync } = require('node:child_process')
      const ended = new Promise((resolve) => {
        new Worker(${JSON.stringify(spend(300))}, { eval: true }).on('exit', resolve)
      })
      ended.then(() => {
        spawnSync(process.execPath, ['-e', ${JSON.stringify(spend(300))}])
        console.log('both have ended')
        process.stdin.resume()
      })`
    const child = spawn(process.execPath, ['-e', brief], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit']
    })
    await once(child.stdout, 'data')
    const { cpuUs } = usageOf([child.pid!])!
    child.stdin.end()
    await once(child, 'exit')
    expect(cpuUs).toBeGreaterThan(550_000)
  },
  30_000
)

test.runIf(process.platform === 'linux')('a process is told by what it holds', () => {
  const { values, cpuUs, process: name } = figuresOf(process.pid)!
  expect(values.rss! / process.memoryUsage.rss()).toBeGreaterThan(0.5)
  expect(values.rss! / process.memoryUsage.rss()).toBeLessThan(2)
  expect(values.threads).toBeGreaterThan(1)
  expect(values.descriptors).toBeGreaterThan(2)
  expect(cpuUs).toBeGreaterThan(0)
  // The number alone would be the same for whoever is given it next.
  expect(name).toMatch(new RegExp(`^${process.pid} \\d+$`))
  expect(figuresOf(process.pid)!.process).toBe(name)
  expect(figuresOf(2 ** 30)).toBeUndefined()
})
