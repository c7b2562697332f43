import { createSecureServer } from 'node:http2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { clock } from '../../../src/clock.ts'
import { closed, type Load } from '../../../src/load/load.ts'
import { prepare, type Request } from '../../../src/load/requests/request.ts'
import { createUndici } from '../../../src/load/transports/undici.ts'
import { type AskOptions, ask } from '../ask.ts'
import { selfSigned } from '../certificate.ts'
import { answer, type Behaviour, listen } from '../server.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
const twenty = closed({ users: 2, iterations: 20 })
const short = closed({ users: 1, seconds: 0.3, timeoutMs: 1_000 })

const undici = (request: Request, load: Load, options: AskOptions = {}) =>
  ask(request, load, { transport: 'undici', ...options })

/**
 * A server that speaks HTTP/2 and HTTP/1.1, and says how many sessions of the former it has had.
 */
async function listenSecurely(): Promise<{ url: string; sessions: () => number }> {
  let sessions = 0
  const server = createSecureServer({ ...selfSigned, allowHTTP1: true })
  server.on('session', () => void sessions++)
  server.on('request', (_, response) => response.end('hi'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `https://127.0.0.1:${port}/`, sessions: () => sessions }
}

describe('HTTP/1.1', () => {
  test.each([1, 4])('with %i in flight on a connection', async (pipelining) => {
    const { url, accepted } = await listen(answer(ok))
    const load = closed({ connections: 2, pipelining, iterations: 100 })
    const { results, connections, response } = await undici({ url }, load)
    expect(results).toEqual({ 200: 100 })
    expect(connections).toMatchObject({ opened: 2, failed: {}, protocol: 'HTTP/1.1' })
    expect(response.count).toBe(100)
    expect(accepted()).toBe(2)
  })

  test.each<[string, Behaviour, string]>([
    ['reset the connection', (socket) => socket.resetAndDestroy(), 'reset'],
    ['close the connection', (socket) => socket.destroy(), 'closed'],
    ['send what is no response', (socket) => socket.write('220 mail.example.com\r\n'), 'malformed'],
    ['never answer', () => {}, 'timeout']
  ])('servers that %s: counted so, and backed off', async (_, behave, ending) => {
    const { url, accepted } = await listen(behave)
    const { results } = await undici({ url }, short)
    expect(Object.keys(results)).toEqual([ending])
    expect(accepted()).toBeLessThanOrEqual(9)
  })

  test('servers that are not there', async () => {
    const { url, close } = await listen(() => {})
    await close()
    const { results, connections } = await undici({ url }, short)
    expect(Object.keys(results)).toEqual(['refused'])
    expect(connections.failed.refused).toBeLessThanOrEqual(9)
  })
})

test('what was never sent waited, and has no service time', async () => {
  const { url } = await listen(() => {})
  const load = closed({ users: 3, connections: 1, iterations: 3, timeoutMs: 100 })
  const { results, response, service } = await undici({ url }, load)
  expect(results).toEqual({ timeout: 3 })
  expect([response.count, service.count]).toEqual([3, 1])
})

describe('HTTP/2', () => {
  test('is spoken where it is offered, several requests at a time', async () => {
    const { url, sessions } = await listenSecurely()
    const load = closed({ connections: 2, pipelining: 8, iterations: 200 })
    const { results, connections } = await undici({ url }, load, { verifyTls: false })
    expect(results).toEqual({ 200: 200 })
    expect(connections).toMatchObject({ opened: 2, protocol: 'HTTP/2' })
    expect(sessions()).toBe(2)
  })

  test('is not spoken to a certificate nobody vouches for', async () => {
    const { url } = await listenSecurely()
    const { results } = await undici({ url }, short)
    expect(Object.keys(results)).toEqual(['tls'])
  })

  test('the same load by wire is HTTP/1.1', async () => {
    const { url } = await listenSecurely()
    const { results, connections } = await ask({ url }, twenty, { verifyTls: false })
    expect(results).toEqual({ 200: 20 })
    expect(connections.protocol).toBe('HTTP/1.1')
  })
})

test('what ends with the transport is told to nobody', async () => {
  const { url } = await listen(() => {})
  const told: unknown[] = []
  const transport = createUndici({
    ...{ origin: new URL(url).origin, connections: 1, pipelining: 1, timeoutMs: 10_000 },
    ...{ verifyTls: true, now: () => performance.now(), onConnect() {}, clock },
    route: { addresses: ['127.0.0.1'] },
    onSample: (sample) => told.push(sample)
  })
  await transport.open()
  transport.send(prepare({ url }, { route: 0, keeps: false }), 0, 0)
  transport.flush()
  await vi.waitFor(() => expect(transport.connections().opened).toBe(1))
  transport.close()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(told).toEqual([])
})
