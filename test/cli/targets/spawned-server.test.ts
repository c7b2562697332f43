import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pinnableProcessors } from '../../../src/cli/targets/processors.ts'
import { spawnServer } from '../../../src/cli/targets/spawned-server.ts'
import { freePorts } from '../../free-ports.ts'

const serving = (port: number) =>
  `"${process.execPath}" -e "require('http')` +
  `.createServer((q, s) => s.end('ok')).listen(${port}, '127.0.0.1')"`

/** A server that answers when it was sent a signal. */
const silent = `
  const server = require('http').createServer((_, reply) => reply.end())
  server.on('connection', (connection) => server.isOpen || connection.destroy())
  process.on('SIGUSR2', () => { server.isOpen = true })
  server.listen(process.argv[1], '127.0.0.1', () => console.log('listens'))`

const stop = new AbortController().signal

const isUp = (url: string) =>
  fetch(url).then(
    () => true,
    () => false
  )

test('a command serves until it is stopped, with all that it started', async () => {
  const port = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  for (const command of [serving(port), `true; ${serving(port)}`]) {
    const service = await spawnServer(command, { url, stop })
    onTestFinished(service.stop)
    const before = service.usage()
    if (process.platform === 'linux') expect(before!.rssBytes).toBeGreaterThan(1_000_000)
    for (let times = 0; times < 50; times++) await fetch(url).then((reply) => reply.text())
    if (before) expect(service.usage()!.cpuUs).toBeGreaterThan(before.cpuUs)
    await service.stop()
    expect(await isUp(url)).toBe(false)
    expect(service.usage()).toBeUndefined()
  }
}, 30_000)

test.runIf(process.platform === 'linux')(
  'who is had go into the background is told of, kept to a processor, and ended',
  async () => {
    const port = await freePorts(1)
    const url = `http://127.0.0.1:${port}/`
    const [first] = pinnableProcessors()
    for (const rest of ['', '; sleep 60']) {
      const service = await spawnServer(`setsid -f ${serving(port)}${rest}`, { url, stop })
      onTestFinished(service.stop)
      // That of the shell alone is a tenth of it.
      expect(service.usage()!.rssBytes).toBeGreaterThan(30_000_000)
      if (first !== undefined) {
        service.pin(first)
        expect(service.isOn(first)).toBe(true)
      }
      await service.stop()
      expect(await isUp(url)).toBe(false)
    }
  },
  30_000
)

test.runIf(process.platform === 'linux')(
  'a daemon that was there before serves for a command, and is left alone',
  async () => {
    const port = await freePorts(1)
    const url = `http://127.0.0.1:${port}/`
    const daemon = spawn(process.execPath, ['-e', silent, `${port}`], { detached: true })
    onTestFinished(() => void daemon.kill('SIGKILL'))
    await once(daemon.stdout, 'data')
    const service = await spawnServer(`kill -USR2 ${daemon.pid}; sleep 60`, { url, stop })
    onTestFinished(service.stop)
    for (const place of pinnableProcessors()) expect(service.isOn(place)).toBe(false)
    await service.stop()
    expect(await isUp(url)).toBe(true)
  },
  30_000
)

test('a command that ends says why', async () => {
  const url = `http://127.0.0.1:${await freePorts(1)}/`
  await expect(spawnServer('echo no such luck >&2; exit 3', { url, stop })).rejects.toMatchObject({
    code: 2,
    message: expect.stringMatching(/it ended with exit code 3: no such luck/)
  })
  await expect(spawnServer('exit 0', { url, stop })).rejects.toThrow(/it ended with exit code 0$/)
}, 30_000)

/** A server that takes so many milliseconds for each answer. */
const slow = (port: number, ms: number) =>
  `"${process.execPath}" -e "require('http')` +
  `.createServer((q, s) => setTimeout(() => s.end('ok'), ${ms})).listen(${port}, '127.0.0.1')"`

test('a server that is slow to answer each question is let in', async () => {
  const url = `http://127.0.0.1:${await freePorts(1)}/`
  const service = await spawnServer(slow(Number(new URL(url).port), 2_000), { url, stop })
  await service.stop()
}, 60_000)

test('who is out of service at first is ready when it no longer is', async () => {
  const port = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const busy = (from: number) =>
    `"${process.execPath}" -e "let n = 0; require('http').createServer((q, s) => ` +
    `s.writeHead(n++ < ${from} ? 503 : 200).end('ok')).listen(${port}, '127.0.0.1')"`
  const soon = await spawnServer(busy(10), { url, stop })
  expect((await fetch(url)).status).toBe(200)
  await soon.stop()
  // One that never is in service is let in as it is: what it answers is to be judged.
  const never = await spawnServer(busy(1e9), { url, stop })
  expect((await fetch(url)).status).toBe(503)
  await never.stop()
}, 60_000)

test('a slow one that somebody else left there is not mistaken for the command', async () => {
  const port = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  const left = spawn(slow(port, 2_000), { shell: true, detached: true })
  onTestFinished(() => void process.kill(-left.pid!, 'SIGKILL'))
  await expect.poll(() => isUp(url), { timeout: 30_000 }).toBe(true)
  await expect(spawnServer(serving(port), { url, stop })).rejects.toThrow(/served by somebody else/)
}, 60_000)

test('who has fallen silent is waited for, and no longer once everything is to stop', async () => {
  const url = `http://127.0.0.1:${await freePorts(1)}/`
  const ending = new AbortController()
  const command = slow(Number(new URL(url).port), 1_000_000)
  const started = spawnServer(command, { url, stop: ending.signal })
  setTimeout(() => ending.abort(), 3_000)
  await expect(started).rejects.toThrow(/had not served/)
}, 20_000)

test.runIf(process.platform === 'linux')(
  'who answers with no HTTP, or listens elsewhere, is told of as that',
  async () => {
    const ports = await freePorts(2)
    const url = `http://127.0.0.1:${ports}/`
    const banner =
      `require('net').createServer((s) => s.end('SSH-2.0-x\\r\\n'))` +
      `.listen(${ports}, '127.0.0.1')`
    const given: [string, RegExp][] = [
      [`"${process.execPath}" -e "${banner}"`, /had not served .*; what answers there is no HTTP$/],
      [serving(ports + 1), new RegExp(`had not served .*; it listens on port ${ports + 1}$`)]
    ]
    for (const [command, why] of given) {
      const ending = new AbortController()
      setTimeout(() => ending.abort(), 4_000)
      await expect(spawnServer(command, { url, stop: ending.signal })).rejects.toThrow(why)
    }
  },
  20_000
)

test('a URL that somebody else serves is not mistaken for the command', async () => {
  const server = createServer((_, reply) => reply.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(spawnServer('sleep 60', { url, stop })).rejects.toThrow(/served by somebody else/)
})
