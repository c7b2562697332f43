import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Node, type NodeLimits, nodeAt } from '../../../src/platform/gateway/node.ts'
import { type Answering, goodNode, upstream } from './upstream.ts'

const limits: NodeLimits = { inFlight: 2, pending: 10, answerMs: 5_000, answerBytes: 1_000 }

async function nodeBehind(answer: Answering, change: Partial<NodeLimits> = {}) {
  const server = await upstream(answer)
  const node = nodeAt(`${server.url}/some/path?key=1`, { ...limits, ...change })
  onTestFinished(async () => {
    await node.close()
    await server.close()
  })
  return { node, server }
}

/** What a call came to: the result's own text, or the code of the error. */
async function ask(node: Node, method = 'm', params?: string) {
  const outcome = await node.ask({ method, params })
  return 'result' in outcome ? outcome.result : JSON.parse(outcome.error).code
}

test('a call is asked at the address, with an id of its own each time', async () => {
  const urls: (string | undefined)[] = []
  const { node, server } = await nodeBehind((call, response, message) => {
    urls.push(`${message.method} ${message.url} ${message.headers['content-type']}`)
    goodNode(call, response, message)
  })
  expect(await ask(node, 'one', '[1.0]')).toBe('"one"')
  expect(await ask(node, 'two')).toBe('"two"')
  expect(server.bodies).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'one', params: [1] },
    { jsonrpc: '2.0', id: 2, method: 'two' }
  ])
  expect(new Set(urls)).toEqual(new Set(['POST /some/path?key=1 application/json']))
})

test('connections are kept', async () => {
  const { node, server } = await nodeBehind(goodNode)
  for (let calls = 0; calls < 20; calls++) await ask(node)
  expect(server.bodies).toHaveLength(20)
  expect(server.connections()).toBeLessThanOrEqual(limits.inFlight)
})

const answering = (text: (id: number) => string, status = 200): Answering => {
  return ({ id }, response) => response.writeHead(status).end(text(id))
}
const error = '{"code":-32000,"message":"no","data":"0x"}'
const garbage = -32_603
const unavailable = -32_002
const exceeded = -32_005

test.each<[what: string, answer: Answering, came: unknown]>([
  [
    'a result in its own writing',
    answering((id) => `{ "id":${id}, "result": [1.0 , 2e2], "jsonrpc":"2.0" }`),
    '[1.0 , 2e2]'
  ],
  ['a result that is null', answering((id) => `{"id":${id},"result":null}`), 'null'],
  ['a result and no error', answering((id) => `{"id":${id},"result":1,"error":null}`), '1'],
  ['an error', answering((id) => `{"id":${id},"error":${error}}`), -32_000],
  ['an error without an id', answering(() => `{"id":null,"error":${error}}`), -32_000],
  ['an error with a status', answering((id) => `{"id":${id},"error":${error}}`, 429), -32_000],
  ['somebody else’s result', answering((id) => `{"id":${id + 1},"result":1}`), garbage],
  ['somebody else’s error', answering((id) => `{"id":${id + 1},"error":${error}}`), garbage],
  ['an error without a code', answering((id) => `{"id":${id},"error":{}}`), garbage],
  ['an error that is a text', answering((id) => `{"id":${id},"error":"no"}`), garbage],
  ['neither result nor error', answering((id) => `{"id":${id}}`), garbage],
  ['a batch', answering((id) => `[{"id":${id},"result":1}]`), garbage],
  ['a page', answering(() => '<h1>Bad Gateway</h1>', 502), garbage],
  ['nothing', answering(() => ''), garbage],
  ['half a response', answering((id) => `{"id":${id},"result":`), garbage],
  ['more than fits', answering((id) => `{"id":${id},"result":"${'x'.repeat(1_000)}"}`), exceeded],
  [
    'less than was announced',
    (_call, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"jsonrpc":')
      setImmediate(() => response.destroy())
    },
    unavailable
  ],
  ['an end', (_call, response) => void response.destroy(), unavailable],
  ['a reset', (_call, response) => void response.socket!.resetAndDestroy(), unavailable],
  ['what is not HTTP', (_call, response) => void response.socket!.end('hello'), unavailable]
])('a node answers %s', async (_what, answer, came) => {
  const { node } = await nodeBehind(answer)
  expect(await ask(node)).toBe(came)
  // One that failed once may be asked again.
  expect(await ask(node)).toBe(came)
})

test('a node that is not there is unavailable', async () => {
  const server = await upstream(goodNode)
  await server.close()
  const node = nodeAt(server.url, limits)
  expect(await ask(node)).toBe(unavailable)
  await node.close()
})

test.each<[what: string, answer: Answering]>([
  ['never', () => {}],
  ['only its head', (_call, response) => void response.writeHead(200).flushHeaders()],
  [
    'byte by byte',
    async (_call, response) => {
      while (!response.destroyed) {
        response.write(' ')
        await wait(5)
      }
    }
  ]
])('a node that answers %s is given up', async (_what, answer) => {
  const { node } = await nodeBehind(answer, { answerMs: 50 })
  const outcome = await node.ask({ method: 'm' })
  expect(outcome).toEqual({ error: expect.stringMatching(/-32002.*takes too long/) })
})

test('so many calls are asked at once, so many wait, and the rest is refused', async () => {
  let now = 0
  let most = 0
  const held: (() => void)[] = []
  const { node, server } = await nodeBehind((call, response, message) => {
    most = Math.max(most, ++now)
    held.push(() => {
      now--
      goodNode(call, response, message)
    })
  })
  const calls = Array.from({ length: 12 }, () => ask(node))
  expect(await Promise.all(calls.slice(10))).toEqual([exceeded, exceeded])
  const all = Promise.all(calls.slice(0, 10))
  let isDone = false
  all.then(() => {
    isDone = true
  })
  while (!isDone) {
    held.shift()?.()
    await wait(1)
  }
  expect(await all).toEqual(Array(10).fill('"m"'))
  expect(most).toBe(2)
  expect(server.connections()).toBe(2)
  // Who is done makes room.
  const again = ask(node)
  while (held.length === 0) await wait(1)
  held.shift()!()
  expect(await again).toBe('"m"')
})

test('nobody is asked for a caller who is gone, and the node hears of one who goes', async () => {
  const gone = new AbortController()
  const closed = Promise.withResolvers<void>()
  const { node, server } = await nodeBehind((_call, response) => {
    response.once('close', () => closed.resolve())
    gone.abort()
  })
  expect(await node.ask({ method: 'm' }, gone.signal)).toHaveProperty('error')
  await closed.promise
  expect(await node.ask({ method: 'm' }, gone.signal)).toHaveProperty('error')
  expect(server.bodies).toHaveLength(1)
})

test('closing ends what is under way', async () => {
  const { node } = await nodeBehind(() => void node.close())
  expect(await ask(node)).toBe(unavailable)
})
