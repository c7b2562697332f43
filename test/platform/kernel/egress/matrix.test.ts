import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openNetwork } from '../../../../src/platform/functions/isolate/network.ts'
import { nodeAt } from '../../../../src/platform/gateway/node.ts'
import { createEgress, type Egress } from '../../../../src/platform/kernel/egress/egress.ts'
import { parseDestination } from '../../../../src/platform/logpush/destination.ts'
import { openTransport } from '../../../../src/platform/logpush/transport.ts'
import { limitsOf, openTestIsolates, specOf } from '../../functions/isolate/isolates.ts'
import { ofLoopback, others, resolver } from './forms.ts'

/** Every connection that this process tries to open, as `address:port`. */
let attempts: string[] = []
const watch = (message: unknown) => {
  const { socket } = message as { socket: Socket }
  socket.on('connectionAttempt', (address, port) => attempts.push(`${address}:${port}`))
}
beforeAll(() => subscribe('net.client.socket', watch))
afterAll(() => void unsubscribe('net.client.socket', watch))
beforeEach(() => {
  attempts = []
})

/** A server that must not be reached; and one that may, at another address and the same port. */
const victim = createServer((_request, response) => response.end('{"victim":true}'))
const friend = createServer((request, response) => {
  const location = new URL(request.url!, 'http://friend').searchParams.get('to')
  if (location) return response.writeHead(302, { location }).end()
  response.setHeader('connection', 'close')
  response.end('{"jsonrpc":"2.0","id":1,"result":1}')
})
let port = 0
beforeAll(async () => {
  await once(victim.listen(0, '127.0.0.1'), 'listening')
  port = (victim.address() as AddressInfo).port
  await once(friend.listen(port, '127.0.0.2'), 'listening')
})
afterAll(() => {
  for (const server of [victim, friend]) server.close().closeAllConnections()
})
afterEach(() => victim.closeAllConnections())

const signal = new AbortController().signal
const parcel = { name: 'a', content: Buffer.from('a'), day: '20240108' }
const limits = { inFlight: 2, pending: 10, answerMs: 5_000, answerBytes: 1_000 }

/** Sends something to a host; what came of it, or a throw. */
type Way = (host: string, egress: Egress, path?: string) => Promise<unknown>

async function posted(destination: string, egress: Egress) {
  const { transport, close } = openTransport({ deliveryMs: 5_000 }, { egress })
  await transport(parseDestination(destination), parcel, signal).finally(close)
  return 'delivered'
}

async function using<Result>(egress: Egress, act: (net: ReturnType<typeof openNetwork>) => Result) {
  const network = openNetwork(egress)
  try {
    return await act(network)
  } finally {
    network.close()
  }
}

const ways: Record<string, Way> = {
  'log push by HTTP': (host, egress, path = '/') => posted(`http://${host}:${port}${path}`, egress),
  'log push to a bucket': (host, egress) =>
    posted(`s3://logs?region=a&endpoint=http://${host}:${port}`, egress),
  'a fetch': (host, egress, path = '/') =>
    using(egress, async (network) => {
      const head = { method: 'GET', url: `http://${host}:${port}${path}`, headers: [] }
      const { value } = await network.fetch(head, { to: {}, signal })
      return value
    }),
  'a socket': (host, egress) =>
    using(egress, async (network) => {
      const { value } = await network.connect(
        { hostname: host, port, secure: false },
        { to: {}, signal }
      )
      return value
    }),
  'the gateway': async (host, egress, path = '/') => {
    const node = nodeAt(`http://${host}:${port}${path}`, limits, egress)
    const outcome = await node.ask({ method: 'm' })
    await node.close()
    if ('error' in outcome && !/JSON-RPC/.test(outcome.error)) throw new Error(outcome.error)
    return outcome
  }
}

const all = [...ofLoopback, ...others]

describe.each(Object.keys(ways))('%s', (name) => {
  const way = ways[name]!

  test.each(all)('to %s is refused, and nothing is sent', async (host) => {
    const egress = createEgress({ resolve: resolver().resolve })
    // As a host of its own, which no URL has read, some forms are no address to anybody.
    const because = name === 'a socket' ? /allow-egress|ENOTFOUND/ : /allow-egress/
    await expect(way(host, egress)).rejects.toThrow(because)
    expect(attempts).toEqual([])
  })

  test('gets there in every form when the address was named', async () => {
    const egress = createEgress({
      allowed: [`127.0.0.1:${port}`],
      resolve: resolver().resolve
    })
    const forms = ofLoopback.filter((host) => name !== 'a socket' || /^[\w.]+$/.test(host))
    for (const host of forms) await way(host, egress)
    expect(attempts).toHaveLength(forms.length)
  })

  test('never gets to the platform itself, whatever was named', async () => {
    const allowed = ['0.0.0.0/0:*', '[::/0]:*', 'localhost:*', 'here.test:*', 'app.localhost:*']
    const egress = createEgress({ allowed, resolve: resolver().resolve })
    egress.keepFrom(`http://127.0.0.1:${port}`)
    const because = name === 'the gateway' ? /allow-egress/ : /itself|ENOTFOUND/
    for (const host of [...ofLoopback, '0.0.0.0', '[::1]', '[::]', '127.9.9.9'])
      await expect(way(host, egress), host).rejects.toThrow(because)
    expect(attempts).toEqual([])
  })

  test('is judged by the address it connects to, each time a name is looked up', async () => {
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['10.0.0.1']]
    const { asked, resolve } = resolver({ 'turn.test': () => answers.shift()! })
    const egress = createEgress({ allowed: [`127.0.0.2:${port}`], resolve })
    await way('turn.test', egress)
    await expect(way('turn.test', egress)).rejects.toThrow(/allow-egress/)
    await way('turn.test', egress)
    await expect(way('turn.test', egress)).rejects.toThrow(/allow-egress/)
    expect(asked).toHaveLength(4)
    expect(attempts).toEqual([`127.0.0.2:${port}`, `127.0.0.2:${port}`])
  })
})

/** The same ways through TLS, which have connections of their own to open. */
const secureWays: Record<string, Way> = {
  'log push by HTTPS': (host, egress) => posted(`https://${host}:${port}/`, egress),
  'log push to a bucket by HTTPS': (host, egress) =>
    posted(`s3://logs?region=a&endpoint=https://${host}:${port}`, egress),
  'a fetch by HTTPS': (host, egress) =>
    using(egress, (network) => {
      const head = { method: 'GET', url: `https://${host}:${port}/`, headers: [] }
      return network.fetch(head, { to: {}, signal })
    }),
  'a socket with TLS': (host, egress) =>
    using(egress, (network) =>
      network.connect({ hostname: host, port, secure: true }, { to: {}, signal })
    ),
  'the gateway by HTTPS': async (host, egress) => {
    const node = nodeAt(`https://${host}:${port}/`, limits, egress)
    const outcome = await node.ask({ method: 'm' })
    await node.close()
    throw new Error('error' in outcome ? outcome.error : 'answered')
  }
}

describe.each(Object.keys(secureWays))('%s', (name) => {
  const way = secureWays[name]!

  test('leads to none of them in any form', async () => {
    const egress = createEgress({ resolve: resolver().resolve })
    const because = name === 'a socket with TLS' ? /allow-egress|ENOTFOUND/ : /allow-egress/
    for (const host of all) await expect(way(host, egress), host).rejects.toThrow(because)
    expect(attempts).toEqual([])
  })

  test('is judged each time a name is looked up', async () => {
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['10.0.0.1']]
    const { asked, resolve } = resolver({ 'turn.test': () => answers.shift()! })
    const egress = createEgress({ allowed: [`127.0.0.2:${port}`], resolve })
    // Who may be reached there speaks no TLS, which is found out by being reached.
    const got = async () => {
      const error = await way('turn.test', egress).catch(String)
      return /allow-egress/.test(`${error}`) ? 'refused' : 'reached'
    }
    expect([await got(), await got(), await got(), await got()]).toEqual([
      ...['reached', 'refused', 'reached', 'refused']
    ])
    expect(asked).toHaveLength(4)
    expect(attempts).toEqual([`127.0.0.2:${port}`, `127.0.0.2:${port}`])
  })
})

/** Where the friend sends on to; a head has no other letters than these. */
const locations = all.filter((host) => /^[ -~]+$/.test(host)).map((host) => `http://${host}:PORT/`)

test.each(['log push by HTTP', 'the gateway'])('%s is not sent on', async (name) => {
  const { resolve } = resolver({ 'friend.test': () => ['127.0.0.2'] })
  const egress = createEgress({ allowed: [`127.0.0.2:${port}`], resolve })
  for (const location of locations) {
    const to = encodeURIComponent(location.replace('PORT', `${port}`))
    await ways[name]!('friend.test', egress, `/?to=${to}`).catch(() => {})
  }
  expect(new Set(attempts)).toEqual(new Set([`127.0.0.2:${port}`]))
  expect(attempts).toHaveLength(locations.length)
})

const follower = `export default { async fetch(_request, env) {
  const places = JSON.parse(env.PLACES)
  const ask = (place) => fetch(place).then((response) => response.text(), String)
  return Response.json(await Promise.all(places.map(ask)))
} }`

test('a function is sent on to none of them, and goes to none by itself', async () => {
  const { resolve } = resolver({ 'friend.test': () => ['127.0.0.2'] })
  const egress = createEgress({ allowed: [`127.0.0.2:${port}`], resolve })
  const straight = locations.map((location) => location.replace('PORT', `${port}`))
  const around = straight.map((to) => `http://friend.test:${port}/?to=${encodeURIComponent(to)}`)
  const places = [...straight, ...around]
  const isolates = openTestIsolates({ egress })
  const limits = limitsOf({ subrequests: 1_000, connections: 100 })
  const spec = specOf(follower, { limits, env: { PLACES: JSON.stringify(places) } })
  const { text } = await isolates.ask(spec)
  await isolates.close()
  const said: string[] = JSON.parse(text!)
  expect(said).toHaveLength(places.length)
  for (const [index, one] of said.entries())
    expect(one, places[index]).toMatch(/^TypeError: fetch failed: .*--allow-egress/)
  expect(new Set(attempts)).toEqual(new Set([`127.0.0.2:${port}`]))
})

test.each([
  ['http://127.0.0.1:80', 80],
  ['https://127.0.0.1:443', 443]
])('a listener at %s is kept, though its address does not show the port', (url, port) => {
  const egress = createEgress({ allowed: ['127.0.0.1:*'] })
  egress.keepFrom(url)
  expect(egress.refusal({ host: '127.0.0.1', port })).toContain('itself')
})

test('a port is one however it is written, since a function’s code may lie about it', async () => {
  const egress = createEgress({ allowed: ['127.0.0.1:*'], resolve: resolver().resolve })
  egress.keepFrom(`http://127.0.0.1:${port}`)
  await using(egress, async (network) => {
    for (const lie of [`${port}`, [port], `0x${port.toString(16)}`, ` ${port} `]) {
      const address = { hostname: '127.0.0.1', port: lie as unknown as number, secure: false }
      await expect(network.connect(address, { to: {}, signal })).rejects.toThrow('itself')
    }
  })
  expect(attempts).toEqual([])
})

test('a connection within the platform is nobody else’s to use', async () => {
  const egress = createEgress({ resolve: resolver().resolve })
  await using(egress, async (network) => {
    const head = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: [] }
    const at = { host: '127.0.0.1', port }
    const { body } = await network.fetch(head, { to: { at }, signal })
    for await (const _ of body!);
    expect(attempts).toHaveLength(1)
    await expect(network.fetch(head, { to: {}, signal })).rejects.toThrow(/allow-egress/)
  })
})
