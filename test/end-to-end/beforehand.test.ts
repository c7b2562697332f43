import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFickle } from './fickle.ts'
import { refused } from './refused.ts'

/** A page of metrics, and where it is. */
async function pageOf(text: string, status = 200): Promise<string> {
  const server = createServer((_, reply) => void reply.writeHead(status).end(text))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`
}

/** What a command says that is expected to object before it sends anything to its target. */
async function objection(argsFor: (url: string) => string[]) {
  const target = await startFickle()
  const { code, stderr } = await refused(...argsFor(target.url))
  expect(target.asked()).toBe(0)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect({ code, stderr }).toMatchObject({ code: 64 })
  return stderr
}

test('a soak of what nobody tells does not begin', async () => {
  const soak = (url: string) => ['soak', url, '-r', '10', '-d', '8h']
  const metrics = await objection((url) => [...soak(url), '--metrics', 'p50,nosuch,rss'])
  expect(metrics).toMatch(/--metrics nosuch, rss: .*there are p50, p99, errors, throughput\./)
  const seen = await objection((url) => {
    return [...soak(url), '--metrics', 'nosuch', '--pid', `${process.pid}`]
  })
  expect(seen).toMatch(/there are p50, p99, errors, throughput, cpu, rss, threads, descriptors\./)

  const dead = 'http://127.0.0.1:1/metrics'
  const unread = await objection((url) => [...soak(url), '--metrics-url', dead])
  expect(unread).toMatch(/--metrics-url http:\/\/127\.0\.0\.1:1\/metrics: no page of metrics/)
  const missing = await pageOf('nothing here', 404)
  await objection((url) => [...soak(url), '--metrics-url', missing])
  const html = await pageOf('<!doctype html>\n<h1>Sign in</h1>\n')
  await objection((url) => [...soak(url), '--metrics-url', html])

  const page = await pageOf('heap_bytes 5\nqueue_length{of="a"} 3\n')
  const gauge = ['--metrics-url', page, '--gauge', 'queue_lenght']
  expect(await objection((url) => [...soak(url), ...gauge])).toMatch(/nearest: queue_length$/m)
  const other = ['--metrics-url', page, '--gauge', 'rss']
  expect(await objection((url) => [...soak(url), ...other])).toMatch(
    /are heap_bytes, queue_length$/m
  )
}, 60_000)

test('a result that could not be kept is not begun', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-beforehand-'))
  const file = join(folder, 'file')
  writeFileSync(file, 'not a history\n')
  const below = join(file, 'below')
  const told = /--out .* cannot be written/
  expect(await objection((url) => ['capacity', url, '--out', below])).toMatch(told)
  expect(await objection((url) => ['compare', '--a', url, '--b', url, '--out', below])).toMatch(
    told
  )
  expect(await objection((url) => ['probe', url, '--out', below])).toMatch(told)
  expect(await objection((url) => ['probe', url, '--write', file])).toMatch(
    /--write .* cannot be written/
  )
  expect(await objection((url) => ['soak', url, '-r', '10', '--out', below])).toMatch(told)
  expect(await objection(() => ['calibrate', '--out', below])).toMatch(told)
  const history = ['--a-name', 'a', '--b-name', 'b', '--history']
  for (const place of [below, file, folder]) {
    await objection((url) => ['compare', '--a', url, '--b', url, ...history, place])
  }
}, 60_000)

test.each([
  [['--errors', '200'], /--errors must be a percentage/],
  [['--errors', 'few'], /--errors must be a percentage/],
  [['--p99', 'fast'], /--p99 must be more than 0/]
])('capacity does not begin with %j', async (flags, message) => {
  expect(await objection((url) => ['capacity', url, ...flags])).toMatch(message)
})

test('a run does not begin with a coverage that none could reach or miss', async () => {
  const message = /--require-coverage must be a percentage/
  for (const share of ['most', '101']) {
    expect(await objection(() => ['run', '--require-coverage', share])).toMatch(message)
  }
})

test('threads of this machine are none of an agent’s', async () => {
  const fleet = ['--fleet', 'redis://127.0.0.1:1', '--workers', '2']
  expect(await objection((url) => ['load', url, ...fleet])).toBe(
    'plimsoll: --workers is about this machine, and agents offer their own: leave it out\n'
  )
})

test.each([
  ['--agents', '2'],
  ['--wait', '5s']
])('what is said of agents where none are asked for is told: %s', async (...flags) => {
  for (const command of ['capacity', 'load']) {
    const told = await objection((url) => [command, url, ...flags])
    expect(told).toBe(
      `plimsoll: ${flags[0]} is about agents, and none are asked for: add --fleet\n`
    )
  }
})
