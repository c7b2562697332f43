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
  const usage = usageOf(child.pid!)!
  child.stdin.end()
  await once(child, 'exit')
  // Threads that come and go, and the moment between the two looks, make the difference.
  expect(usage.cpuUs / Number(String(said))).toBeGreaterThan(0.5)
  expect(usage.cpuUs / Number(String(said))).toBeLessThan(2)
  expect(usage.rssBytes).toBeGreaterThan(1e6)
  expect(usageOf(child.pid!)).toBeUndefined()
})

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
