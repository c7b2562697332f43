import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync
} from 'node:fs'
import { release, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closed, hold, open } from '../../../src/load/load.ts'
import { ask } from '../ask.ts'
import { answer, listen } from '../server.ts'

const root = resolve(import.meta.dirname, '../../..')
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
const twenty = closed({ users: 2, iterations: 20 })
const transport = 'uring'

/** Whether this system lets this process use io_uring, as far as the system itself says. */
function isPermitted(): boolean {
  const disabled = '/proc/sys/kernel/io_uring_disabled'
  if (!existsSync(disabled) || readFileSync(disabled, 'utf8').trim() !== '0') return false
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const isFiltered = !/^Seccomp:\s+0$/m.test(readFileSync('/proc/self/status', 'utf8'))
  return !isFiltered && (major > 6 || (major === 6 && minor >= 6))
}

test.runIf(isPermitted())('it is io_uring that sends where the system permits it', async () => {
  const { url } = await listen(answer(ok))
  expect((await ask({ url }, twenty, { transport })).connections.transport).toBe('uring')
})

test('over TLS it is wire that sends, and says so', async () => {
  const { url } = await listen(answer(ok), { secure: true })
  const { results, connections } = await ask({ url }, twenty, { transport, verifyTls: false })
  expect(results).toEqual({ 200: 20 })
  expect(connections.transport).toBe('wire, not uring: it speaks no TLS')
})

test('any other transport is named as it was asked for', async () => {
  const { url } = await listen(answer(ok))
  const { connections } = await ask({ url }, twenty, { transport: 'wire' })
  expect(connections.transport).toBe('wire')
})

test('where nobody says it is io_uring that sends, or else wire, as it should be', async () => {
  const { url } = await listen(answer(ok))
  const { connections } = await ask({ url }, twenty, { transport: 'http1' })
  expect(connections.transport).toBe(isPermitted() ? 'uring' : 'wire')
  const secure = await listen(answer(ok), { secure: true })
  const told = await ask({ url: secure.url }, twenty, { transport: 'http1', verifyTls: false })
  expect(told.connections.transport).toBe('wire')
})

test('arrivals are let go by the ring: each of them, and answered', async () => {
  const { url } = await listen(answer(ok))
  const load = open(hold({ rate: 400, seconds: 0.5 }))
  const { results, begun } = await ask({ url }, load, { transport })
  expect({ results, begun }).toEqual({ results: { 200: 200 }, begun: 200 })
})

test('bodies that together are longer than all memory they arrive in come whole', async () => {
  const body = Array.from({ length: 40_000 }, (_, n) => `${n}`).join()
  const { url } = await listen(
    answer(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  )
  const checks = { whole: (response: { body: string }) => response.body === body }
  const load = closed({ users: 60, iterations: 120 })
  const tally = await ask({ url }, load, { transport, checks })
  expect(tally.checks).toEqual({ whole: { passed: 120, failed: 0 } })
})

test('a request longer than what a socket takes at once arrives whole', async () => {
  const body = Buffer.alloc(6_000_000, 'abc')
  let received = 0
  let whole = 0
  const { url } = await listen((socket, chunk) => {
    if (whole === 0) whole = chunk.indexOf('\r\n\r\n') + 4 + body.length
    received += chunk.length
    if (received % whole === 0) socket.write(ok)
  })
  const load = closed({ users: 1, iterations: 3 })
  const { results } = await ask({ url, method: 'POST', body }, load, { transport })
  expect(results).toEqual({ 200: 3 })
  expect(received).toBe(3 * whole)
})

test('a thread that is ended in the midst of a load harms nobody', async () => {
  const { url } = await listen(answer(ok))
  const args = ['test/load/uring/ended-thread.ts', url, '2']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(stdout).toBe('all ended\n')
})

describe('where there is no io_uring', () => {
  /** What `plimsoll load --json` says of a load, by a command in a given place. */
  async function load(command: string[], cwd = root) {
    const { url } = await listen(answer(ok))
    const asked = ['src/main.ts', 'load', url, '-c', '2', '-n', '20', '--transport', transport]
    const [program, ...args] = [...command, process.execPath, ...asked, '--json']
    const child = spawn(program!, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    await once(child, 'close')
    const { requests, transport: sent, errors } = JSON.parse(output)
    return { requests, errors, sent }
  }
  const fine = { requests: 20, errors: {} }

  test.each([
    ['EPERM', 'this system permits no io_uring (EPERM)'],
    ['ENOSYS', 'this kernel has no io_uring (ENOSYS)']
  ])('since it is refused with %s, wire sends and says why', async (code, why) => {
    const refusing = [process.execPath, 'test/load/uring/refusing.ts', code]
    expect(await load(refusing)).toEqual({ ...fine, sent: `wire, not uring: ${why}` })
  })

  const isRoot = process.getuid?.() === 0
  test.runIf(isRoot)('since it gets no memory, wire sends and says what to raise', async () => {
    const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups']
    const why = 'io_uring gets no locked memory: raise `ulimit -l` (ENOMEM)'
    const poor = ['prlimit', '--memlock=0', 'setpriv', ...nobody]
    expect(await load(poor)).toEqual({ ...fine, sent: `wire, not uring: ${why}` })
  })

  test('since koffi is not installed, wire sends and says how to have it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
    const modules = join(root, 'node_modules')
    mkdirSync(join(folder, 'node_modules'))
    for (const name of readdirSync(modules).filter((one) => !/^(koffi|@koromix)$/.test(one))) {
      symlinkSync(join(modules, name), join(folder, 'node_modules', name))
    }
    expect(await load([], folder)).toEqual({
      ...fine,
      sent: 'wire, not uring: koffi is not installed (npm install koffi)'
    })
  })
})
