import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { expect, onTestFinished, test } from 'vitest'
import { unthrottled } from '../../../src/client/throttle.ts'
import { clock } from '../../../src/clock.ts'
import { messageOf, surveyRpcMessage } from '../../../src/limit/http2/rpc-message.ts'
import { readProto } from '../../../src/load/grpc/method.ts'
import { addressOf } from '../../../src/load/http1/dial.ts'
import { routeTo } from '../../../src/route.ts'
import { listenHttp2, response } from '../../load/http2/peer.ts'

const file = new URL('../../load/grpc/greeter.proto', import.meta.url).pathname

function survey(url: string, path: string, ceiling = 200_000) {
  return surveyRpcMessage({
    address: addressOf(url, { verifyTls: true, route: routeTo(url) }),
    ordinary: { method: 'GET', path, headers: [] },
    ...{ clock, turn: unthrottled, stopped: () => false, ceiling }
  })
}

test('a message of any size is one that every method can read', async () => {
  const { decode } = (await readProto(file, 'demo.Greeter'))('Sum')
  for (const bytes of [16, 100, 132, 133, 134, 135, 16_384, 16_390, 16_391, 16_392, 70_000]) {
    const message = messageOf(bytes)
    expect(message.length).toBe(bytes)
    expect(decode(message)).toMatchObject({ text: '', words: [] })
  }
})

test('the largest message that a server of grpc-js takes', async () => {
  const server = new Server({ 'grpc.max_receive_message_length': 100_000 })
  onTestFinished(() => server.forceShutdown())
  server.addService(loadPackageDefinition(loadSync(file)).demo.Greeter.service, {
    Hello: (_, reply) => reply(null, {}),
    Count: (call) => call.end(),
    Sum: (_, reply) => reply(null, {}),
    Echo: (call) => call.end()
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (cause, at) =>
      cause ? reject(cause) : resolve(at)
    )
  })
  const found = await survey(`http://127.0.0.1:${port}`, '/demo.Greeter/Hello')
  expect(found).toMatchObject({
    unit: 'bytes',
    lines: [
      {
        boundary: { kind: 'found', accepted: 100_000, rejected: 100_001 },
        how: 'RESOURCE_EXHAUSTED'
      }
    ]
  })
  const wide = await survey(`http://127.0.0.1:${port}`, '/demo.Greeter/Hello', 90_000)
  expect(wide).toMatchObject({ lines: [{ boundary: { kind: 'unlimited', accepted: 90_000 } }] })
})

test('what answers by no status of gRPC is told as such', async () => {
  const { url } = await listenHttp2({ onRequest: (peer, id) => peer.say(response(id, 404)) })
  expect(await survey(url, '/a.B/C')).toEqual({
    outcome: 'inconclusive',
    because: 'a call of gRPC is answered by no status: HTTP 404'
  })
})
