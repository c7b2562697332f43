import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Sealed, sealed } from '../../../src/platform/logpush/sealed.ts'
import { head, talk } from '../wire.ts'
import { settled } from './virtual.ts'

/** A server whose responses are sealed when `open` is called; and what is sealed, in order. */
async function sealing(listener: RequestListener) {
  const seals: Sealed[] = []
  const gate = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    sealed(response, async (whole) => {
      seals.push(whole)
      await gate.promise
    })
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seals, url, open: gate.resolve }
}

const ask = (method = 'GET') => head(`${method} /`, 'Host: a', 'Connection: close')
const stream = (response: ServerResponse, ...parts: string[]) =>
  pipeline(Readable.from(parts, { objectMode: false }), response)

const ways: [name: string, RequestListener, body: string][] = [
  ['a whole body', (_request, response) => response.end('hello'), 'hello'],
  [
    'a body of announced length',
    (_request, response) =>
      response.writeHead(200, ['Content-Type', 'text/plain', 'content-length', '5']).end('hello'),
    'hello'
  ],
  [
    'parts of announced length',
    async (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': '5' })
      await stream(response, 'hel', 'lo')
    },
    'hello'
  ],
  [
    'one part of announced length',
    async (_request, response) => {
      response.setHeader('Content-Length', 5)
      response.writeHead(200)
      await stream(response, 'hello')
    },
    'hello'
  ],
  [
    'chunks',
    async (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' })
      await stream(response, 'hel', 'lo')
    },
    '3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n'
  ],
  [
    'a part that is waited for',
    async (_request, response) => {
      response.writeHead(200, { 'Content-Length': '5' })
      await new Promise((written) => response.write('hello', written))
      response.end()
    },
    'hello'
  ],
  ['text in another encoding', (_request, response) => response.end('é', 'latin1'), '\xe9'],
  ['no body', (_request, response) => response.writeHead(204).end(), '']
]

test.each(ways)('%s ends only when it is sealed', async (_name, listener, body) => {
  const { url, seals, open } = await sealing(listener)
  let isAnswered = false
  const answer = talk(url, [ask()]).finally(() => (isAnswered = true))
  while (seals.length === 0) await settled()
  await settled()
  expect(isAnswered).toBe(false)
  open()
  expect((await answer).text.split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(body)
})

test('a body of announced length is not complete before it is sealed', async () => {
  const [, , [, listener]] = ways as [unknown, unknown, (typeof ways)[number]]
  const { url, seals, open } = await sealing(listener)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  socket.write(ask())
  while (seals.length === 0 || !text.includes('hel')) await settled()
  expect(text).toMatch(/\r\n\r\nhel$/)
  open()
  await once(socket, 'close')
  expect(text).toMatch(/\r\n\r\nhello$/)
})

test('a seal that fails holds nothing back', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const server = createServer((_request, response) => {
    sealed(response, async () => {
      throw new Error('no seal')
    })
    response.end('hello')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect((await talk(`http://127.0.0.1:${port}`, [ask()])).body).toBe('hello')
  await settled()
  expect(warnings.map(({ message }) => message)).toEqual(['no seal'])
})

test('what is sealed is said: status, type and bytes', async () => {
  const { url, seals, open } = await sealing((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' })
    response.write('héllo')
    response.end(() => {})
  })
  open()
  await talk(url, [ask()])
  expect(seals).toEqual([{ status: 404, type: 'text/html', bytes: 6 }])
})

test('several responses of one connection keep their order', async () => {
  let count = 0
  const { url, open, seals } = await sealing((_request, response) => response.end(`${++count}`))
  open()
  const again = head('GET /', 'Host: a')
  const { text } = await talk(url, [again, again, ask()])
  expect(text.match(/\d(?=HTTP|$)/g)).toEqual(['1', '2', '3'])
  expect(seals).toHaveLength(3)
})

test('a response that nobody waits for any more is sealed once', async () => {
  const { url, seals, open } = await sealing((_request, response) => {
    response.writeHead(200)
    response.write('hel')
  })
  open()
  await talk(url, [ask()], /hel/)
  while (seals.length === 0) await settled()
  await settled()
  expect(seals).toEqual([{ status: 200, type: '', bytes: 3 }])
})
