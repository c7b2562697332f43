import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { receive } from '../../../src/platform/edge/request.ts'

/** A message as Node's parser would hand it over. */
const message = (url: string, rawHeaders: string[], headers: Record<string, string> = {}) =>
  Object.assign(new EventEmitter(), {
    method: 'POST',
    url,
    rawHeaders,
    headers,
    socket: {},
    iterator: () => [][Symbol.iterator]()
  }) as unknown as IncomingMessage

test.each([
  ['/echo?a=b', 'a.test', '/echo', 'a.test'],
  ['/', 'A.Test:8080', '/', 'a.test'],
  ['*', 'a.test.', '*', 'a.test'],
  ['http://b.test:80/x/y?z', 'a.test', '/x/y', 'b.test'],
  ['HTTPS://B.test', 'a.test', '/', 'b.test'],
  ['http://b.test?x', 'a.test', '/', 'b.test'],
  ['//b.test/x', 'a.test', '//b.test/x', 'a.test']
])('%s at host %s is path %s of %s', (target, asked, path, host) => {
  expect(receive(message(target, [], { host: asked }))).toMatchObject({ target, path, host })
})

test('headers keep their order, their case and their repetitions', () => {
  const raw = ['Host', 'a.test', 'X-A', '1', 'x-a', '2']
  expect(receive(message('/', raw)).headers).toEqual([
    ['Host', 'a.test'],
    ['X-A', '1'],
    ['x-a', '2']
  ])
})

test.each([
  [{}, 0],
  [{ 'content-length': '104857601' }, 104_857_601],
  [{ 'transfer-encoding': 'chunked' }, undefined]
])('%j declares %s bytes', (headers, bytes) => {
  expect(receive(message('/', [], headers as Record<string, string>)).declaredBytes).toBe(bytes)
})
