import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'

const proto = resolve(import.meta.dirname, '../load/grpc/greeter.proto')
const server = new Server()
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-http2-'))
let url: string

beforeAll(async () => {
  server.addService(loadPackageDefinition(loadSync(proto)).demo.Greeter.service, {
    Hello: ({ request }, reply) => reply(null, { text: `hello ${request.yourName}` })
  })
  const bound = Promise.withResolvers<number>()
  const insecure = ServerCredentials.createInsecure()
  server.bindAsync('127.0.0.1:0', insecure, (_, port) => bound.resolve(port))
  url = `http://127.0.0.1:${await bound.promise}`
  writeFileSync(join(folder, 'clauses.json'), '[]')
})
afterAll(() => {
  server.forceShutdown()
  rmSync(folder, { recursive: true })
})

/** A load of ten calls of gRPC, and one of ten requests by HTTP/1.1. */
const calls = `import { closed, load, readProto } from 'plimsoll'
const greeter = await readProto(${JSON.stringify(proto)}, 'demo.Greeter')
export default load({ title: 'It greets', needs: ['service'], objectives: { errorRatio: 0 },
  transport: 'http2', load: closed({ users: 1, iterations: 10 }),
  request: ({ service }) => ({ rpc }) =>
    rpc(service.rpc(greeter('Hello'), { yourName: 'you' })) })`
const plain = `import { closed, load } from 'plimsoll'
export default load({ title: 'It holds', needs: ['service'], objectives: { errorRatio: 0 },
  load: closed({ users: 1, iterations: 10 }), request: ({ service }) => service.get('/') })`

test('run: a load by HTTP/2 is sent to a server that speaks nothing else', async () => {
  writeFileSync(join(folder, 'calls.ts'), calls)
  writeFileSync(join(folder, 'plain.ts'), plain)
  const { json } = await plimsollJson('run', '--scenarios', folder, '--target', url)
  const found = new Map<string, any>(json.verdicts.map((one: any) => [one.scenario, one]))
  expect(found.get('calls').outcome).toBe('pass')
  expect(found.get('plain')).toMatchObject({
    outcome: 'blocked',
    because: expect.stringContaining('does not answer: not HTTP/1.1: it speaks HTTP/2')
  })
}, 60_000)

test('soak: by HTTP/2 it begins, by HTTP/1.1 it does not', async () => {
  const soak = (...flags: string[]) => plimsoll('soak', `${url}/x`, '-r', '5', '-d', '2s', ...flags)
  const plain = await soak()
  expect(plain.stderr).toContain('does not answer: not HTTP/1.1: it speaks HTTP/2')
  expect(plain.code).toBe(2)
  const { stderr, stdout } = await soak('--http', '2')
  expect(stderr).not.toContain('does not answer')
  expect(stdout).not.toBe('')
}, 60_000)
