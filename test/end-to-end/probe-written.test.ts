import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { foundFiles } from '../../src/import/found.ts'
import { fixedAnchored, leakyQueue } from '../limit/rate-limiters.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'

/** A server that takes bodies of so many bytes, and paths of a hundred. */
async function taking(most: number): Promise<string> {
  const server = createServer((request, response) => {
    let received = 0
    request.on('data', ({ length }) => (received += length))
    request.on('end', () => {
      const isLong = request.url!.length > 100
      response.writeHead(received > most ? 413 : isLong ? 414 : 200).end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('what was found is verified from then on, and one unit more is not', async () => {
  const url = await taking(3_000)
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-written-'))
  const limits = 'url,headers,header-count,body'
  const { code } = await plimsoll('probe', `${url}/a?b=c`, '--limits', limits, '--write', folder)
  expect(code).toBe(0)
  const target = join(folder, 'target.json')
  const run = async () => {
    const asked = ['--scenarios', folder, '--target', target, '--out', join(folder, 'out')]
    const { code, json } = await plimsollJson('run', ...asked)
    const told = json.verdicts.map(({ clause, outcome }: Record<string, string>) => {
      return [clause, outcome]
    })
    return { code, ...Object.fromEntries(told) }
  }
  const sizes = { 'found.url': 'pass', 'found.headers': 'pass', 'found.header-count': 'pass' }
  expect(await run()).toEqual({ code: 0, ...sizes, 'found.body': 'pass' })
  writeFileSync(target, readFileSync(target, 'utf8').replace(url, await taking(3_001)))
  expect(await run()).toEqual({ code: 1, ...sizes, 'found.body': 'fail' })
})

/** A server with a queue: two go on at once, and so many more wait, 20 a second. */
async function queueing(waiting: number): Promise<string> {
  const decide = leakyQueue({ perSecond: 20, free: 1, queue: 1 + waiting })
  const server = createServer((_, response) => {
    const taken = decide(performance.now())
    if (taken === false) return response.writeHead(429).end()
    return setTimeout(() => response.end('ok'), typeof taken === 'number' ? taken : 0)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a queue that was found is verified, and one that holds fewer is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-queue-'))
  const queue = { burst: 2, queue: 4, perSecond: 20, status: 429 }
  const verdictsOf = async (url: string) => {
    const asked = { url, method: 'GET', path: '/', headers: {}, usual: 200, lines: [], queue }
    for (const [name, text] of Object.entries(foundFiles(asked))) {
      writeFileSync(join(folder, name), text)
    }
    const target = join(folder, 'target.json')
    const where = ['--scenarios', folder, '--target', target, '--out', join(folder, 'out')]
    const { json } = await plimsollJson('run', ...where)
    return json.verdicts.map(
      ({ clause, outcome }: Record<string, string>) => `${clause} ${outcome}`
    )
  }
  expect(await verdictsOf(await queueing(4))).toContain('found.queue pass')
  expect(await verdictsOf(await queueing(3))).toContain('found.queue fail')
})

/** A server that takes so many in a window of half a second from the first. */
async function windowed(limit: number): Promise<string> {
  const decide = fixedAnchored({ limit, windowMs: 500, phaseMs: 0 })
  const server = createServer((_, response) => {
    response.writeHead(decide(performance.now()) === true ? 200 : 429).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a rate that was found is verified, and one more at once is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-rate-'))
  const numbers = { burst: 5, perSecond: 10, windowMs: 500, status: 429 }
  const rate = { algorithm: 'fixed-window' as const, ...numbers }
  const outcomeOf = async (url: string) => {
    const asked = { url, method: 'GET', path: '/', headers: {}, usual: 200, lines: [], rate }
    for (const [name, text] of Object.entries(foundFiles(asked))) {
      writeFileSync(join(folder, name), text)
    }
    const target = join(folder, 'target.json')
    const where = ['--scenarios', folder, '--target', target, '--out', join(folder, 'out')]
    return (await plimsollJson('run', ...where)).json.verdicts[0].outcome
  }
  expect(await outcomeOf(await windowed(5))).toBe('pass')
  expect(await outcomeOf(await windowed(6))).toBe('fail')
}, 120_000)

/** A server that keeps a silent connection for so long, and any for so many requests. */
async function keeping(keepAliveTimeout: number, maxRequests: number): Promise<string> {
  const options = { keepAliveTimeout, keepAliveTimeoutBuffer: 0 }
  const server = createServer(options, (_, response) => response.end('ok'))
  server.maxRequestsPerSocket = maxRequests
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('times that were found are verified, and fail where they are others', async () => {
  const url = await keeping(600, 7)
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-times-'))
  const limits = ['--limits', 'idle,requests-per-connection', '--up-to', 'idle=2s']
  const { code } = await plimsoll('probe', `${url}/`, ...limits, '--write', folder)
  expect(code).toBe(0)
  const target = join(folder, 'target.json')
  const run = async () => {
    const asked = ['--scenarios', folder, '--target', target, '--out', join(folder, 'out')]
    const { json } = await plimsollJson('run', ...asked)
    return Object.fromEntries(
      json.verdicts.map(({ clause, outcome }: Record<string, string>) => [clause, outcome])
    )
  }
  const both = (outcome: string) => {
    return { 'found.idle': outcome, 'found.requests-per-connection': outcome }
  }
  expect(await run()).toEqual(both('pass'))
  writeFileSync(target, readFileSync(target, 'utf8').replace(url, await keeping(800, 8)))
  expect(await run()).toEqual(both('fail'))
  // What differs is asked about six times, each of which waits for two seconds.
}, 120_000)
