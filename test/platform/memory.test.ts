import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bytes, head, talk } from './wire.ts'

let child: ChildProcess
afterAll(() => child.kill('SIGKILL'))

const MiB = 1_048_576

test('500 MB go through without being kept', async () => {
  child = fork(join(import.meta.dirname, 'program.ts'))
  const [{ announcement }] = await once(child, 'message')
  const peakKiB = async () => {
    child.send('how much?')
    return (await once(child, 'message'))[0].peakKiB as number
  }
  const post = async (size: number) => {
    const lines = [`Host: ${announcement.hosts.enterprise}`, 'Connection: close']
    const ask = head('POST /echo', ...lines, `Content-Length: ${size}`)
    const { statuses, body } = await talk(announcement.edge, [ask, ...bytes(size)])
    return { statuses, bytes: JSON.parse(body).bytes }
  }
  await post(20 * MiB)
  const before = await peakKiB()
  expect(await post(500 * MiB)).toEqual({ statuses: [200], bytes: 500 * MiB })
  // What a busy machine lets lie until it is collected is some tens of megabytes, and not hundreds.
  expect((await peakKiB()) - before).toBeLessThan(128 * 1_024)
})
