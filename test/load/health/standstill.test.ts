import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { stoodStillMs } from '../../../src/load/health/standstill.ts'

test.each([
  ['idle until the next beat', { wallMs: 11, ranMs: 0.1, waitMs: 0 }, 0],
  ['at work', { wallMs: 400, ranMs: 392, waitMs: 0 }, 0],
  ['ready for a processor', { wallMs: 400, ranMs: 20, waitMs: 370 }, 0],
  ['a timer that is a little late', { wallMs: 14, ranMs: 0, waitMs: 0 }, 0],
  ['stopped', { wallMs: 75, ranMs: 3, waitMs: 2 }, 60]
])('%s', (_, beat, ms) => {
  expect(stoodStillMs(beat)).toBe(ms)
})

/** Says for how long it stood still when its stdin ends; meanwhile it is at work now and then. */
const watching = `
  import { watchStandstill } from ${JSON.stringify(
    new URL('../../../src/load/health/standstill.ts', import.meta.url).href
  )}
  const end = watchStandstill()
  const work = setInterval(() => { for (let n = 0; n < 1e6; n++); }, 7)
  process.stdin.on('end', () => {
    clearInterval(work)
    console.log(end())
  }).resume()
  console.log('on')`

test.runIf(process.platform === 'linux')(
  'a thread that is stopped tells for how long',
  async () => {
    const told = async (stops: number) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', watching])
      onTestFinished(() => void child.kill('SIGKILL'))
      const lines: string[] = []
      child.stdout.setEncoding('utf8').on('data', (text) => lines.push(text))
      await once(child.stdout, 'data')
      let stoppedMs = 0
      for (let stop = 0; stop < 10; stop++) {
        const began = performance.now()
        if (stop < stops) child.kill('SIGSTOP')
        await sleep(200)
        stoppedMs += stop < stops ? performance.now() - began : 0
        child.kill('SIGCONT')
        await sleep(50)
      }
      child.stdin.end()
      await once(child, 'close')
      return { stoppedMs, toldMs: Number(lines.join('').split('\n')[1]) }
    }
    const [stopped, free] = [await told(10), await told(0)]
    expect(stopped.toldMs).toBeGreaterThan(stopped.stoppedMs / 2)
    expect(free.toldMs).toBeLessThan(stopped.stoppedMs / 2)
  },
  30_000
)
