import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { gateway } from '../../../src/platform/gateway/gateway.ts'
import { gatewayRules as rules } from '../../../src/platform/gateway/rules.ts'
import { createEgress, placeOf } from '../../../src/platform/kernel/egress/egress.ts'
import { type Listener, listen } from '../../../src/platform/kernel/http/listener.ts'
import { openStore } from '../store.ts'
import { head, talk } from '../wire.ts'
import { type Answering, goodNode, type Upstream, upstream } from './upstream.ts'

let listener: Listener
let node: Upstream
let answer: Answering = goodNode

/** A gateway with small limits, and stand-ins for all of its networks but rinkeby. */
beforeAll(async () => {
  node = await upstream((...call) => answer(...call))
  const small = { ...rules.limits, bodyBytes: 1_000, batchCalls: 3 }
  const service = gateway({
    rules: { ...rules, limits: small },
    store: openStore(),
    upstreams: { sepolia: node.url, 'my-own': node.url },
    egress: createEgress()
  })
  listener = await listen(service, { host: '127.0.0.1', port: 0 })
})
/** A gateway with the limits it has in the platform, and that stand-in. */
async function openFull() {
  const upstreams = { sepolia: node.url }
  const service = gateway({ rules, store: openStore(), upstreams, egress: createEgress() })
  const full = await listen(service, { host: '127.0.0.1', port: 0 })
  onTestFinished(full.close)
  return full.url
}
afterAll(async () => {
  await listener.close()
  await node.close()
})

const json = { 'content-type': 'application/json' }
const call = '{"jsonrpc":"2.0","method":"eth_chainId","id":1}'

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(listener.url + path, {
    method: 'POST',
    headers: json,
    body: call,
    ...init
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, error: text && JSON.parse(text).error }
}

test('a node is placed behind a network of another name, until the reset', async () => {
  const egress = createEgress({ allowed: ['127.0.0.1:*'] })
  const service = gateway({ rules, store: openStore(), egress })
  const own = await listen(service, { host: '127.0.0.1', port: 0 })
  onTestFinished(own.close)
  const asked = async () => {
    const init = { method: 'POST', headers: json, body: call }
    return (await fetch(`${own.url}/v1/placed`, init)).text()
  }
  expect(await asked()).toMatch(/"code":-32001/)
  expect(service.place('sepolia', node.url)).toMatch(/of this name/)
  expect(service.place('placed', 'http://10.0.0.1')).toMatch(/--allow-egress/)
  expect(service.place('placed', node.url)).toBeUndefined()
  expect(service.place('placed', node.url)).toMatch(/of this name/)
  expect(await asked()).toMatch(/"result":"eth_chainId"/)
  await service.reset()
  expect(await asked()).toMatch(/"code":-32001/)
})

test.each(['/v1/sepolia', '/v1/my-own', '/v1/sepolia?key=1', '/v1/./sepolia'])(
  'POST %s reaches a node',
  async (path) => {
    const { status, headers, text } = await ask(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":"eth_chainId"}')
  }
)

test.each([
  ...['/', '/v1', '/v1/', '/v1/sepolia/', '/v1/sepolia/more', '/sepolia', '/v2/sepolia'],
  ...['/v1/mainnet', '/v1/SEPOLIA', '/v1/constructor', '//v1/sepolia', '/v1/sep%6Flia']
])('%s leads nowhere, and where networks are is told', async (path) => {
  const { status, error } = await ask(path)
  expect(status).toBe(404)
  expect(error.code).toBe(-32_001)
  expect(error.message).toMatch(/\/v1\/\{network\}.*sepolia/)
})

test.each<[what: string, init: RequestInit, status: number, header: [string, string]]>([
  ['GET', { method: 'GET', body: undefined }, 405, ['allow', 'POST, OPTIONS']],
  ['PUT', { method: 'PUT' }, 405, ['allow', 'POST, OPTIONS']],
  ['DELETE', { method: 'DELETE' }, 405, ['allow', 'POST, OPTIONS']],
  ['no type', { headers: {}, body: Buffer.from(call) }, 415, ['accept-post', 'application/json']],
  [
    'a text',
    { headers: { 'content-type': 'text/plain' } },
    415,
    ['accept-post', 'application/json']
  ],
  [
    'a longer type',
    { headers: { 'content-type': 'application/json-seq' } },
    415,
    ['accept-post', 'application/json']
  ],
  [
    'an encoded body',
    { headers: { ...json, 'content-encoding': 'gzip' } },
    415,
    ['accept-encoding', 'identity']
  ]
])('%s is refused with what would do', async (_what, init, expected, [name, value]) => {
  const { status, headers, error } = await ask('/v1/sepolia', init)
  expect(status).toBe(expected)
  expect(headers.get(name)).toBe(value)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(error.code).toBe(-32_600)
})

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;a=b'])(
  'the type may be %s',
  async (type) => {
    expect((await ask('/v1/sepolia', { headers: { 'content-type': type } })).status).toBe(200)
  }
)

test('a HEAD is refused without a body, and the connection stays', async () => {
  const heads = [
    head('HEAD /v1/sepolia', 'Host: a'),
    head('HEAD /v1/sepolia', 'Host: a', 'Connection: close')
  ]
  expect((await talk(listener.url, heads)).statuses).toEqual([405, 405])
})

test('OPTIONS tells browsers what they may do', async () => {
  const { status, headers } = await ask('/v1/sepolia', { method: 'OPTIONS', body: undefined })
  expect(status).toBe(204)
  expect(Object.fromEntries(headers)).toMatchObject({
    allow: 'POST, OPTIONS',
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': '*'
  })
})

test('notifications are made, and answered with nothing', async () => {
  const before = node.bodies.length
  const notification = '{"jsonrpc":"2.0","method":"eth_chainId"}'
  for (const body of [notification, `[${notification},${notification}]`]) {
    const { status, headers, text } = await ask('/v1/sepolia', { body })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(headers.has('content-length')).toBe(false)
  }
  expect(node.bodies.length - before).toBe(3)
})

test.each<[size: number, status: number]>([
  [1_000, 200],
  [1_001, 413]
])('of %d bytes comes a %d', async (size, expected) => {
  const { status, headers } = await ask('/v1/sepolia', { body: call.padEnd(size) })
  expect(status).toBe(expected)
  expect(headers.get('connection')).toBe(expected === 413 ? 'close' : 'keep-alive')
  const chunks = [
    head(
      'POST /v1/sepolia',
      'Host: a',
      `Content-Type: ${json['content-type']}`,
      'Connection: close',
      'Transfer-Encoding: chunked'
    ),
    `${size.toString(16)}\r\n${call.padEnd(size)}\r\n0\r\n\r\n`
  ]
  expect((await talk(listener.url, chunks)).statuses).toEqual([expected])
})

test('a network takes 5 MiB of a body and not a byte more, however it is sent', async () => {
  const url = `${await openFull()}/v1/sepolia`
  for (const [bytes, expected] of [
    [5 * 2 ** 20, 200],
    [5 * 2 ** 20 + 1, 413]
  ] as const) {
    const text = call.padEnd(bytes)
    const stream = () => new Blob([text]).stream()
    for (const body of [text, stream()]) {
      const init = { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit
      const { status } = await fetch(url, init)
      expect([bytes, typeof body, status]).toEqual([bytes, typeof body, expected])
    }
  }
})

test('a client that waits to be told sends its body when the head is good', async () => {
  const lines = [
    'Host: a',
    `Content-Length: ${call.length}`,
    'Expect: 100-continue',
    'Connection: close'
  ]
  const good = [head('POST /v1/sepolia', ...lines, 'Content-Type: application/json'), call]
  expect((await talk(listener.url, good)).statuses).toEqual([100, 200])
  const bad = [head('POST /v1/sepolia', ...lines)]
  expect((await talk(listener.url, bad, /415/)).statuses).toEqual([415])
})

test('a client that breaks off harms nobody', async () => {
  const { hostname, port } = new URL(listener.url)
  const lines = ['Host: a', 'Content-Length: 500', 'Content-Type: application/json']
  const socket = connect(Number(port), hostname)
  socket.write(`${head('POST /v1/sepolia', ...lines)}{`, () => socket.resetAndDestroy())
  await once(socket, 'close')
  expect((await ask('/v1/sepolia')).status).toBe(200)
})

test('what is not HTTP is told in JSON-RPC, too', async () => {
  const { statuses, body } = await talk(listener.url, ['hello\r\n\r\n'])
  expect(statuses).toEqual([400])
  expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } })
})

test.each([
  ...['anvil_setBalance', 'evm_mine', 'debug_traceCall', 'admin_peers', 'personal_sign'],
  ...['eth_accounts', 'eth_sign', 'eth_signTransaction', 'eth_sendTransaction', 'rpc.discover', ''],
  ...['eth_sendRawTransactionSync', 'eth_sendUnsignedTransaction']
])('"%s" is not for callers, and the node never hears of it', async (method) => {
  const before = node.bodies.length
  const body = JSON.stringify({ jsonrpc: '2.0', method, id: 7 })
  const { status, text } = await ask('/v1/sepolia', { body })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32_601 } })
  expect(node.bodies.length).toBe(before)
})

test('a node that fails is an error of JSON-RPC, with a 200, for that call alone', async () => {
  answer = (call, response, message) =>
    call.method === 'eth_fails' ? response.destroy() : goodNode(call, response, message)
  const batch = ['eth_chainId', 'eth_fails', 'net_version'].map((method, id) => {
    return { jsonrpc: '2.0', method, id }
  })
  const { status, text } = await ask('/v1/sepolia', { body: JSON.stringify(batch) })
  answer = goodNode
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject([
    { id: 0, result: 'eth_chainId' },
    { id: 1, error: { code: -32_002 } },
    { id: 2, result: 'net_version' }
  ])
})

test('a deprecated network says so, and what follows it; a supported one does not', async () => {
  const { headers } = await ask('/v1/rinkeby')
  expect(headers.get('deprecation')).toBe('@1675036800')
  expect(headers.get('link')).toBe('<sepolia>; rel="successor-version"')
  expect((await ask('/v1/sepolia')).headers.has('deprecation')).toBe(false)
})

test('a development chain counts as the platform itself, which is never reached', async () => {
  const egress = createEgress({ allowed: ['127.0.0.1:*'] })
  const kept = vi.spyOn(egress, 'keepFrom')
  const service = gateway({ rules, store: openStore(), egress })
  const own = await listen(service, { host: '127.0.0.1', port: 0 })
  onTestFinished(own.close)
  const asked = { method: 'POST', headers: json, body: call }
  expect((await fetch(`${own.url}/v1/sepolia`, asked)).status).toBe(200)
  const [[url]] = kept.mock.calls as [[string]]
  expect(egress.refusal(placeOf(url))).toContain('a listener of the platform itself')
})
