import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { reflectedMethods } from '../../../src/load/grpc/reflection.ts'
import { greeterFile, listenReflecting, tellGreeter } from './reflecting.ts'

const reached = (place: string) => ({ base: { url: `http://${place}/` }, timeoutMs: 2_000 })

test.each(['v1', 'v1alpha'] as const)('a server describes its methods by %s', async (version) => {
  const { place } = await listenReflecting(version)
  const find = await reflectedMethods('demo.Greeter', reached(place))
  expect(find('Count')).toMatchObject({
    ...{ path: '/demo.Greeter/Count', streams: { request: false, response: true } }
  })
  const { encode, named } = find('Hello')
  const asked = { your_name: 'x', large: '9007199254740993' }
  expect(named(asked)).toEqual({ yourName: 'x', large: '9007199254740993' })
  expect([...encode(named({ your_name: 'x' }))]).toEqual([10, 1, 120])
  expect(() => find('Bye')).toThrow(/has no method Bye: there is Hello, Count, Sum, Echo/)
})

const of = (...files: Buffer[]) => ({ fileDescriptorResponse: { fileDescriptorProto: files } })

/** A file of that name that is built on another one. */
const built = (name: string, on: string) =>
  Buffer.concat(
    [[10, name] as const, [26, on] as const].map(([tag, text]) =>
      Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)])
    )
  )

test('what a description is built on is asked for, file by file', async () => {
  const asked: string[] = []
  const { place } = await listenReflecting('v1', ({ fileByFilename, fileContainingSymbol }) => {
    asked.push(fileByFilename || fileContainingSymbol || '')
    if (fileContainingSymbol) return of(built('a.proto', 'b.proto'), greeterFile)
    return of(built('b.proto', 'a.proto'))
  })
  const find = await reflectedMethods('demo.Greeter', reached(place))
  expect(find('Hello').path).toBe('/demo.Greeter/Hello')
  expect(asked).toEqual(['demo.Greeter', 'b.proto'])
})

test('why there is no description is said', async () => {
  const said = async (...listening: Parameters<typeof listenReflecting>) => {
    const { place } = await listenReflecting(...listening)
    const found = reflectedMethods('demo.Greeter', reached(place))
    return found.then(() => 'found').catch(({ message }: Error) => message)
  }
  expect(await said()).toMatch(/^the server does not describe itself .*name a file by --proto$/)
  expect(await said('v1', (asked) => tellGreeter({ ...asked, fileContainingSymbol: '' }))).toBe(
    'the server knows no service demo.Greeter: it has demo.Greeter'
  )
  expect(await said('v1', () => of(built('a.proto', 'a-file-that-nobody-has.proto')))).toBe(
    'the server does not tell a-file-that-nobody-has.proto, which demo.Greeter needs'
  )
  expect(await said('v1', () => of(Buffer.from([255, 255])))).toMatch(/cannot be read$/)
  expect(await said('v1', () => of(built('a.proto', 'a.proto')))).toMatch(/cannot be read$/)
  let file = 0
  const endless = () => of(built(`${file}.proto`, `${++file}.proto`))
  expect(await said('v1', endless)).toBe('demo.Greeter takes more than 100 files')
  const page = { 'content-type': 'text/html' }
  const another = createServer((_, answer) => answer.writeHead(404, page).end('no'))
  await new Promise<void>((resolve) => another.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void another.close())
  const { port } = another.address() as AddressInfo
  await expect(reflectedMethods('a.B', reached(`127.0.0.1:${port}`))).rejects.toThrow(
    /^http:\S+ speaks no gRPC: HTTP 404: its content-type is text\/html, not application\/grpc$/
  )
  await expect(reflectedMethods('a.B', reached('127.0.0.1:9'))).rejects.toThrow(
    /^connection refused at 127\.0\.0\.1:9/
  )
})
