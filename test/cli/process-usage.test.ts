import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { usageOf } from '../../src/cli/process-usage.ts'

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
