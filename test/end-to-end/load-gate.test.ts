import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

let server: Server
let url: string
beforeAll(async () => {
  let asked = 0
  server = createServer((request, response) => {
    asked++
    // Every fifth answer to /fickle is an error.
    response.statusCode = request.url === '/fickle' && asked % 5 === 0 ? 500 : 200
    // Who is waited for is what sets the pace, on however busy a machine.
    if (request.url === '/slow') setTimeout(() => response.end('ok'), 40)
    else response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const few = ['-n', '500', '-c', '1']

/** What ends a load: as said, or with 3 where others had the processors for a quarter of it. */
function endedAs(
  { code, json }: Awaited<ReturnType<typeof plimsollJson>>,
  [outcome, as]: [outcome: string, code: number]
): void {
  const isStarved = json.generator.waitShare > 0.25
  const ended = [json.outcome, code]
  if (isStarved && code === 3) expect(ended).toEqual(['error', 3])
  else expect(ended).toEqual([outcome, as])
}

test.each([
  ['met', '/', ['--p99', '20s', '--errors', '0'], 0, 'pass'],
  ['exactly met', '/fickle', ['--errors', '20'], 0, 'pass'],
  ['just missed', '/fickle', ['--errors', '19.9%'], 1, 'fail'],
  ['missed by a rate nobody answers', '/slow', ['-n', '40', '--rps', '10000000'], 1, 'fail'],
  ['missed by the errors that nobody named', '/fickle', ['--p50', '20s'], 1, 'fail'],
  ['not told by so few', '/', ['-n', '20', '--p99', '20s'], 2, 'inconclusive'],
  ['none', '/fickle', [], 0, 'observed']
])('objectives: %s', async (_, path, flags, code, outcome) => {
  const own = flags.includes('-n') ? ['-c', '1'] : few
  endedAs(await plimsollJson('load', `${url}${path}`, ...own, ...flags), [outcome, code])
})

test('a target that is not there cannot be told from its objectives', async () => {
  const nobody = ['load', 'http://127.0.0.1:9/', '-d', '1s', '-c', '2', '--p99', '20']
  const { code, stdout } = await plimsoll(...nobody)
  expect(stdout).toMatch(/objectives {2}p99 within 20 ms, errors at most 0\.1 %/)
  expect(stdout).toMatch(/⊘ blocked/)
  expect(code).toBe(2)
})

test('a target that answers no longer does not pass', async () => {
  let began = 0
  const hanging = createServer((_, response) => {
    began ||= performance.now()
    if (performance.now() - began < 1_000) setTimeout(() => response.end('ok'), 3)
  }).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const { port } = hanging.address() as AddressInfo
  const load = ['load', `http://127.0.0.1:${port}/`, '-d', '3s', '-t', '5s', '-c', '2']
  const ended = await plimsollJson(...load, '--p50', '4s', '--errors', '90')
  hanging.close().closeAllConnections()
  endedAs(ended, ['inconclusive', 2])
  if (ended.code === 2) expect(ended.json.because).toMatch(/^nothing came .* answers no longer$/)
})

test('a target that dies on the way misses its objective', async () => {
  let asked = 0
  const dying = createServer((_, response) => {
    if (++asked > 300) return dying.closeAllConnections()
    response.end('ok')
    if (asked === 300) dying.close()
  }).listen(0, '127.0.0.1')
  await once(dying, 'listening')
  const { port } = dying.address() as AddressInfo
  const flags = ['-n', '600', '-c', '2', '--p99', '20s']
  endedAs(await plimsollJson('load', `http://127.0.0.1:${port}/`, ...flags), ['fail', 1])
})

test('a load leaves a folder behind, which tells the same again', async () => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-out-'))
  const flags = [...few, '--errors', '10', '-H', 'authorization: Bearer sesame', '--out', out]
  const { code, stdout } = await plimsoll('load', `${url}/fickle`, ...flags)
  expect(stdout).toMatch(/Report: .*report\.html/)
  expect(code).toBe(1)
  const folder = join(out, 'latest')
  const files = ['junit.xml', 'report.html', 'report.json', 'results.ndjson', 'summary.md']
  expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(files))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  for (const text of texts) {
    expect(text).toMatch(/missed: [\d.]+ % errors/)
    expect(text).not.toContain('sesame')
    expect(text).not.toContain('0 of 0')
  }
  expect(texts[0]).toContain('<failure type="fail"')
  expect(texts[4]).toMatch(/^## ✘ The objectives are missed/)
  expect(texts[4]).toContain(`plimsoll load ${url}/fickle -n 500 -c 1 --errors 10`)
  expect(JSON.parse(texts[2]!)).toMatchObject({ exit: 1, complete: true })
  expect((await plimsoll('report', folder)).code).toBe(1)
})

test('only the formats asked for are written', async () => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-out-'))
  const flags = ['-n', '5', '-c', '1', '--out', out, '--reporter', 'junit']
  const { json } = await plimsollJson('load', url, ...flags)
  expect(readdirSync(json.folder).sort()).toEqual(['junit.xml', 'results.ndjson'])
})

test.each([
  ['--p99', ['--p99', 'soon'], /--p99 "soon" is no latency such as 20, 20ms/],
  ['--p95', ['--p95', '0'], /--p95 "0" is no latency/],
  ['--p50', ['--p50'], /Not enough arguments following: --p50/],
  ['--p99 twice', ['--p99', '1', '--p99', '2'], /--p99 is given 2 times/],
  ['--errors', ['--errors', '101'], /--errors "101" is no percentage from 0 to 100/],
  ['--errors', ['--errors', '-1'], /--errors "-1" is no percentage/],
  ['--rps', ['--rps', '1e999'], /--rps "1e999" is no number/],
  ['a flag that is none', ['--p97', '1'], /Unknown argument: --p97/],
  ['--duration', ['-d', '1s30'], /--duration "1s30" is no duration/],
  ['--reporter', ['--reporter', 'junit'], /--reporter needs a folder to write to: give --out/],
  ['--reporter', ['--out', 'not-made', '--reporter', 'pdf'], /--reporter pdf is not known/]
])('wrong: %s', async (_, flags, message) => {
  const { code, stderr } = await refused('load', 'http://127.0.0.1:9/', ...flags)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
  expect(existsSync('not-made')).toBe(false)
})
