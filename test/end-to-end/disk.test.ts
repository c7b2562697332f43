import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDocument } from '../bench/hostile/document.ts'
import { paced } from '../paced.ts'
import { plimsoll } from './plimsoll.ts'
import { hasTinyDisks, launcher, onTinyDisk } from './tiny-disk.ts'

let server: Server
let url: string
let asked = 0
beforeAll(async () => {
  const take = paced({ atOnce: 4, ms: 4 })
  server = createServer((_, response) => {
    asked++
    take(response, () => response.end('ok'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())

/** Every command that writes, as briefly as it goes. */
const commands: [name: string, args: () => string[]][] = [
  ['run', () => ['run', 'edge/url-length', '--target', url]],
  ['probe', () => ['probe', url, '--limits', 'url', '--up-to', 'url=64KiB']],
  ['capacity', () => ['capacity', url, '--time', '5s']],
  ['compare', () => ['compare', '--a', url, '--b', `${url}b`, '--time', '20s']],
  ['calibrate', () => ['calibrate', '--runs', '1', '--time', '24s']],
  ['soak', () => ['soak', url, '-d', '12s', '-r', '20']]
]

/** Not a stack, and not several sentences about one thing. */
function expectSentence(stderr: string): void {
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stderr.match(/^plimsoll: /gm)).toHaveLength(1)
}

describe('where nothing can be written is told before anything is asked', () => {
  test.each(commands)('%s', async (_, args) => {
    const before = asked
    const { code, stdout, stderr } = await plimsoll(...args(), '--out', '/proc/plimsoll')
    expect(stderr).toMatch(
      /^plimsoll: --out \/proc\/plimsoll.* cannot be written: .+; name a place/
    )
    expectSentence(stderr)
    expect({ code, stdout, asked }).toEqual({ code: 64, stdout: '', asked: before })
  })

  test('the data of a platform', async () => {
    const { code, stderr } = await plimsoll('platform', '--port', '0', '--data', '/proc/plimsoll')
    expect(stderr).toMatch(/^plimsoll: --data \/proc\/plimsoll cannot be written/)
    expect(code).toBe(64)
  })

  test('the history of a comparison', async () => {
    const before = asked
    const names = ['--a-name', 'a', '--b-name', 'b', '--history', '/proc/plimsoll/history']
    const ended = await plimsoll('compare', '--a', url, '--b', `${url}b`, ...names)
    expect(ended.stderr).toMatch(/^plimsoll: --history \/proc\/plimsoll cannot be written/)
    expect(ended).toMatchObject({ code: 64, stdout: '' })
    expect(asked).toBe(before)
  })
})

describe.skipIf(!hasTinyDisks())('a disk that is full', () => {
  test.each(commands)('%s says so before it asks, where it is full already', async (_, args) => {
    const before = asked
    const { code, stderr } = await onTinyDisk(args(), { left: 0 })
    expect(stderr).toMatch(/cannot be written: ENOSPC/)
    expectSentence(stderr)
    expect({ code, asked }).toEqual({ code: 3, asked: before })
  })

  test('a run ends, prints what it has, and leaves whole lines', async () => {
    const { code, stdout, stderr, kept } = await onTinyDisk(
      ['run', 'edge/url-length', 'versioning', '--workers', '1'],
      { left: 4_096 }
    )
    expect(stdout).toMatch(/The run is incomplete/)
    expect(stdout).not.toMatch(/Report: /)
    expect(stderr).toMatch(/results\.ndjson cannot be written: ENOSPC/)
    expectSentence(stderr)
    expect(code).toBe(3)
    const results = readFileSync(join(kept, 'latest', 'results.ndjson'), 'utf8')
    const lines = results.split('\n')
    expect(lines.pop()).toBe('')
    for (const line of lines) JSON.parse(line)
    expect(readdirSync(join(kept, 'latest'))).toEqual(['results.ndjson'])
  })

  test('a run whose results fit and whose report does not prints them', async () => {
    const args = ['run', '--scenarios', writeDocument(), '--target', url, '--json']
    const { code, stdout, stderr, kept } = await onTinyDisk(args, { left: 8_192 })
    expect(JSON.parse(stdout).complete).toBe(true)
    expect(stderr).toMatch(/report\.html cannot be written: ENOSPC/)
    expect(code).toBe(3)
    expect(readdirSync(join(kept, 'latest'))).toEqual(['results.ndjson'])
  })

  test('a soak ends, and says what there is', async () => {
    const args = ['soak', url, '-d', '60s', '-r', '20']
    const { code, stdout, stderr, kept } = await onTinyDisk(args, { left: 4_096 })
    expect(stdout).toMatch(/p50 /)
    expect(stderr).toMatch(/soak\.ndjson cannot be written: ENOSPC/)
    expectSentence(stderr)
    expect(code).toBe(3)
    const lines = readFileSync(join(kept, 'latest', 'soak.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line).t)).toContain('stretch')
  }, 100_000)
})

test('output that cannot be written is a fault, in a sentence', async () => {
  const command = [process.execPath, launcher, 'list', '--json']
  const child = spawn('sh', ['-c', 'exec "$@" > /dev/full', 'sh', ...command])
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  expect(stderr).toMatch(/^plimsoll: the output cannot be written: ENOSPC/)
  expectSentence(stderr)
  expect(code).toBe(3)
})

test.runIf(hasTinyDisks())(
  'a report of a run on a disk that is only read is refused',
  () => {
    const filled = 'mount -t tmpfs tmpfs "$2" && cp "$1"/* "$2" && mount -o remount,ro "$2"'
    const script = `${filled} && exec "$3" "$4" report "$2"`
    const run = resolve(import.meta.dirname, '../../reports/example')
    const disk = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'))
    const given = ['sh', run, disk, process.execPath, launcher]
    const all = ['-rm', 'sh', '-c', script, ...given]
    const { status, stderr, stdout } = spawnSync('unshare', all, { encoding: 'utf8' })
    expect(stderr).toContain(`the run’s folder ${disk} cannot be written: EROFS`)
    expectSentence(stderr)
    expect(stdout).toBe('')
    expect(status).toBe(64)
  },
  60_000
)
