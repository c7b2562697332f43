import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNetwork } from '../../../../src/platform/functions/isolate/network.ts'
import { createEgress } from '../../../../src/platform/kernel/egress/egress.ts'

const server = createServer((_, response) => response.end('a body that comes at once'))
const network = openNetwork(createEgress({ allowed: ['127.0.0.1:*'] }))
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  network.close()
  server.close()
})

const fetching = (signal: AbortSignal) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const to = {} as Parameters<typeof network.fetch>[1]['to']
  return network.fetch({ method: 'GET', url, headers: [] }, { to, signal })
}

test('a call that is let go as the end of its answer is read takes nothing with it', async () => {
  const gone = new AbortController()
  const { body } = await fetching(gone.signal)
  const read = body![Symbol.asyncIterator]()
  expect(Buffer.from((await read.next()).value).toString()).toBe('a body that comes at once')
  const last = read.next()
  // Node lets go of the socket's errors in this turn, before it gives the socket back.
  gone.abort()
  await last.catch(() => {})
  await turn()
  const { body: another } = await fetching(new AbortController().signal)
  expect((await another![Symbol.asyncIterator]().next()).done).toBe(false)
})

test('a call that is let go before it is answered fails', async () => {
  const gone = new AbortController()
  const fetched = fetching(gone.signal)
  gone.abort()
  await expect(fetched).rejects.toThrow(/fetch failed/)
})
