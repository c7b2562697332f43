import { expect, test } from 'vitest'
import yargs from 'yargs'
import { callOf, grpcFlags, spoken } from '../../../src/cli/flags/grpc-flags.ts'
import { messageFlags } from '../../../src/cli/flags/message-flags.ts'
import { requestFlags } from '../../../src/cli/flags/request-flags.ts'

const file = new URL('../../load/grpc/greeter.proto', import.meta.url).pathname
const url = 'grpcs://127.0.0.1:9/demo.Greeter/Hello'
// Long enough for a busy machine to hear that a connection is refused.
const reached = { timeoutMs: 5_000 }

async function called(words: string[], to = url) {
  const flags = grpcFlags(messageFlags(requestFlags(yargs().exitProcess(false))))
  return callOf(to, flags.fail(false).parseSync(words))?.complete(reached)
}

test('a call is a request with its messages, over HTTP/2', async () => {
  const words = ['--proto', file, '--message', '{"your_name":"x"}', '-H', 'mood: LOUD']
  const made = await called(words)
  expect(made).toMatchObject({
    ...{ url: 'https://127.0.0.1:9/demo.Greeter/Hello', method: 'POST' },
    ...{ route: 'demo.Greeter/Hello', grpc: { request: false, response: false } },
    headers: { mood: ['LOUD'], te: 'trailers', 'content-type': 'application/grpc+proto' }
  })
  expect(made).not.toHaveProperty('rpc')
  expect([...Buffer.from(made!.body!)]).toEqual([0, 0, 0, 0, 3, 10, 1, 120])
  const none = await called(['--proto', file])
  expect([...Buffer.from(none!.body!)]).toEqual([0, 0, 0, 0, 0])
  expect(spoken({ url, transport: 'http1' })).toMatchObject({ transport: 'http2' })
  expect(spoken({ url: 'http://a/', transport: 'http1' })).toMatchObject({ transport: 'http1' })
})

test('a method that takes a stream takes a list, too', async () => {
  const place = 'grpc://127.0.0.1:9/demo.Greeter/Sum'
  const sizeOf = async (message: string) =>
    Buffer.from((await called(['--proto', file, '--message', message], place))!.body!).length
  expect(await sizeOf('{"times":1}')).toBe(7)
  expect(await sizeOf('[{"times":1},{"times":2}]')).toBe(14)
  expect(await sizeOf('[]')).toBe(0)
})

test.each<[string[], RegExp, string?]>([
  [['-m', 'PUT'], /no --method, --body or --answer/],
  [['--answer', 'x'], /no --method, --body or --answer/],
  [['--message', 'x'], /--message is no JSON/],
  [['--message', '@nowhere.json'], /--message @nowhere\.json cannot be read/],
  [['--message', '[]', '--proto', file], /--message is a JSON object: Hello takes fields by name/],
  [['--message', '{"name":1}', '--proto', file], /Hello\.name is no field: there is yourName/],
  [['--proto', 'nowhere.proto'], /nowhere\.proto/],
  [['--proto', file], /names no method, as grpc:/, 'grpc://127.0.0.1:9/demo.Greeter'],
  [['--proto', file], /has no method Bye: there is/, 'grpc://127.0.0.1:9/demo.Greeter/Bye'],
  [['--proto', file], /--proto is about gRPC: give a URL as grpc:/, 'http://127.0.0.1:9/'],
  [[], /connection refused at 127\.0\.0\.1:9/]
])('%j is refused', async (words, told, to = url) => {
  await expect(called(words, to)).rejects.toThrow(told)
})

test('what speaks no gRPC is refused by the flag that was given', () => {
  expect(() => spoken({ url, transport: 'undici' })).toThrow(/--transport undici speaks no gRPC/)
  expect(() => spoken({ url, transport: 'http1', http: '1.1' })).toThrow(/--http 1\.1 speaks no/)
})
