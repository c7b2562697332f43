import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-covered-'))
const platform = join(folder, 'src/platform')
mkdirSync(platform, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true }))

/** A host that has a thread of its own work, and does some itself when it is told to. */
const host = `
  import { Worker } from 'node:worker_threads'
  const guest = new Worker(new URL('./guest.mjs', import.meta.url))
  const own = () => guest.postMessage('work')
  guest.on('message', (said) => process.send(said))
  process.on('message', own)`
const guest = `
  import { parentPort } from 'node:worker_threads'
  const never = () => 'never'
  const work = () => parentPort.postMessage('done')
  parentPort.on('message', (told) => (told === 'work' ? work() : never()))
  parentPort.postMessage('up')`
writeFileSync(join(platform, 'host.mjs'), host)
writeFileSync(join(platform, 'guest.mjs'), guest)

const module = JSON.stringify(join(import.meta.dirname, 'function-coverage.ts'))

test('what runs in a process and its thread is told, at the latest as it is killed', async () => {
  const code = `
    import { once } from 'node:events'
    const { coverFunctions } = await import(${module})
    const functions = coverFunctions()
    const { fork } = await import('node:child_process')
    const ran = (scripts) => scripts.flatMap(({ functions }) => functions
      .filter(({ functionName, ranges }) => functionName && ranges[0].count > 0)
      .map(({ functionName }) => functionName)).sort().join()
    const host = fork(${JSON.stringify(join(platform, 'host.mjs'))}, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    await once(host, 'message')
    await functions.take()
    host.send('work')
    await once(host, 'message')
    console.log(ran(await functions.take()))
    host.send('work')
    await once(host, 'message')
    host.kill()
    await once(host, 'exit')
    console.log(ran(await functions.take()))`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    code
  ])
  expect(stdout).toBe('own,work\nown,work\n')
})
