import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSoakJournal } from '../../src/cli/saved/soak-journal.ts'
import { header } from '../report/soaks.ts'
import { startBusy } from './busy.ts'
import { plimsoll, plimsollJson, start } from './plimsoll.ts'
import { refused } from './refused.ts'

const linesOf = (out: string) =>
  readFileSync(join(out, 'latest', 'soak.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')

async function recorded(out: string, count: number): Promise<void> {
  for (;;) {
    try {
      if (linesOf(out).length > count) return
    } catch {
      // It has not begun.
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a soak that was killed goes on where it ended, and nothing recorded is lost', async () => {
  const { url } = await startBusy({ us: 100 })
  const watched = ['--pid', String(process.pid)]
  const { child, ended, out } = start(['soak', url, '-r', '50', '-c', '2', '-d', '8s', ...watched])
  await recorded(out, 3)
  child.kill('SIGKILL')
  expect((await ended).stderr).toContain('in 8.0 s nothing can be told: it takes 30 s at least')
  const before = linesOf(out)
  const { json, code } = await plimsollJson('soak', '--resume', 'latest', '--out', out)
  // Whether this machine was quiet enough to tell is not for a test to say.
  expect([0, 1, 2, 3]).toContain(code)
  expect(['stable', 'drift', 'settling', 'stepped', 'cyclic', 'inconclusive']).toContain(
    json.verdict
  )
  for (const { unit, interval } of Object.values<any>(json.metrics)) {
    expect(unit).toMatch(/\/hour$/)
    expect(interval).toHaveLength(2)
  }
  const after = linesOf(out)
  expect(after.slice(0, before.length)).toEqual(before)
  const kinds = after.map((line) => JSON.parse(line).t)
  expect(kinds.filter((t) => t === 'resumed')).toHaveLength(1)
  // What the first part followed is followed to the end, without being named again.
  const floors = after.map((line) => JSON.parse(line).floors).filter(Boolean)
  expect(floors.every(({ rss }) => rss > 0)).toBe(true)
  const seconds = after
    .map((line) => JSON.parse(line))
    .filter(({ t }) => t === 'stretch')
    .reduce((sum, stretch) => sum + stretch.seconds, 0)
  expect(seconds).toBeGreaterThanOrEqual(7.9)
  expect(kinds.at(-1)).toBe('verdict')
  expect(readFileSync(join(out, 'latest', 'report.html'), 'utf8')).toContain('<svg')
  const again = await plimsoll('report', 'latest', '--out', out)
  expect(again.stdout).toContain(json.because)
  expect(again.code).toBe(code)
}, 120_000)

test('a target that is still being looked at when the time is over was not given up', async () => {
  const server = createServer((_, response) => {
    setTimeout(() => response.writeHead(503).end(), 4_000)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { code, stderr } = await plimsoll('soak', url, '-d', '1s')
  server.close()
  expect(stderr).toContain(`plimsoll: ${url} was not seen to work in the time there was\n`)
  expect(code).toBe(2)
}, 60_000)

test('a target that is not there is not soaked', async () => {
  const { code, stderr } = await plimsoll('soak', 'http://127.0.0.1:1', '-r', '20', '-d', '1h')
  expect(stderr).toMatch(/127\.0\.0\.1:1 does not answer/)
  expect(code).toBe(2)
})

test('Ctrl-C keeps what was measured', async () => {
  const { url } = await startBusy({ us: 100 })
  const { child, ended, out } = start(['soak', url, '-r', '50', '-c', '2', '-d', '60s'])
  await recorded(out, 2)
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(stdout).toMatch(/lasted/)
  expect(JSON.parse(linesOf(out).at(-1)!)).toMatchObject({ t: 'verdict', exit: 130 })
}, 60_000)

test('a soak that agents began is not gone on with by this machine', async () => {
  const agents = [{ id: 'vm-1', threads: 1, clockErrorMs: 0.1 }]
  const { folder, close } = createSoakJournal(mkdtempSync(join(tmpdir(), 'plimsoll-soak-')), {
    ...header,
    agents
  })
  close()
  const { code, stderr } = await refused('soak', '--resume', folder)
  expect(stderr).toMatch(/sent from a fleet: go on with the same --fleet/)
  expect(code).toBe(64)
})

test.each([
  ['neither URL nor soak', ['soak'], 64, /name a URL to soak/],
  ['a soak nobody made', ['soak', '--resume', 'nowhere'], 64, /no soak at nowhere/],
  [
    'a process nobody is',
    ['soak', 'http://127.0.0.1:1', '--pid', '99999999'],
    64,
    /--pid 99999999/
  ],
  ['no process at all', ['soak', 'http://127.0.0.1:1', '--pid', '0'], 64, /--pid must be/],
  ['a gauge of nothing', ['soak', 'http://127.0.0.1:1', '--gauge', 'x'], 64, /--metrics-url/],
  [
    'metrics that are none',
    ['soak', 'http://127.0.0.1:1', '--metrics', 'a='],
    64,
    /--metrics "a="/
  ],
  ['a budget of nothing', ['soak', 'http://127.0.0.1:1', '--budget', '0'], 64, /--budget must be/],
  ['a target beyond loopback', ['soak', 'http://192.0.2.1', '-r', '1'], 77, /192\.0\.2\.1/]
])('%s', async (_, args, code, message) => {
  const ended = await refused(...args)
  expect(ended.stderr).toMatch(message)
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  expect(ended.code).toBe(code)
})
