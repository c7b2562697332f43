import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../client/servers.ts'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')

/** Runs the command line as a process that may open 40 files. */
async function cramped(...args: string[]) {
  const command = [process.execPath, launcher, ...args]
  const child = spawn('sh', ['-c', 'ulimit -n 40; exec "$@"', 'sh', ...command])
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

test('too few descriptors are no limit of the target', async () => {
  const url = await serve((_, response) => response.end('ok'))
  const { code, stdout } = await cramped('probe', url, '--limits', 'connections', '--json')
  const [{ kind, because }] = JSON.parse(stdout).limits
  expect(because).toMatch(/may open no more files/)
  expect(kind).toBe('unclear')
  expect(code).toBe(2)
})

test.each(['wire', 'uring', 'undici', 'autocannon'])(
  'engine %s ends, and says whose fault it was',
  async (engine) => {
    const url = await serve((_, response) => response.end('ok'))
    const { stdout } = await cramped('load', url, '-d', '1s', '--engine', engine, '--json')
    const { generator } = JSON.parse(stdout)
    expect(generator.valid).toBe(false)
    expect(generator.reasons.join()).toMatch(/ran out of ports or descriptors/)
  }
)

test('too few of them for threads are told in a sentence', async () => {
  const url = await serve((_, response) => response.end('ok'))
  const { code, stderr } = await cramped('load', url, '-d', '1s', '-w', '8', '-c', '8')
  expect(stderr).toMatch(/^plimsoll: Worker initialization failure: EMFILE\n$/)
  expect(code).toBe(3)
})
