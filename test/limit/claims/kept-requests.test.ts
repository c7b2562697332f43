import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { createLineMaker } from '../../../src/client/line.ts'
import { clock } from '../../../src/clock.ts'
import { keptRequests } from '../../../src/limit/claims/kept-requests.ts'

/** What is said of a server that takes so many on a connection and claims something of it. */
async function held(taken: number, claimed?: string, refusedAfter = Number.POSITIVE_INFINITY) {
  let count = 0
  const server = createServer((_, response) => {
    if (claimed !== undefined) response.setHeader('keep-alive', claimed)
    if (++count <= refusedAfter) response.end('hello')
    else response.writeHead(429, { connection: 'close' }).end()
  })
  server.maxRequestsPerSocket = taken
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const client = createClient({ endpoint })
  onTestFinished(client.close)
  return keptRequests({
    ...{ client, maker: createLineMaker({ endpoint, clock }), clock, stopped: () => false },
    leftMs: () => 60_000,
    ordinary: { method: 'GET', path: '/', headers: [] }
  })
}

test('who takes as many as the first answer says tells the truth, with it or without', async () => {
  for (const max of [7, 6]) {
    expect(await held(7, `timeout=5, max=${max}`)).toEqual({
      ...{ field: 'Keep-Alive: max', verdict: 'true' },
      because: `max=${max}; 7 were answered, of which the last said so`
    })
  }
})

test('who takes fewer or more does not', async () => {
  expect(await held(4, 'max=20')).toMatchObject({
    ...{ verdict: 'false', because: 'max=20; 4 were answered, of which the last said so' }
  })
  expect(await held(0, 'max=5')).toMatchObject({
    ...{ verdict: 'false', because: 'max=5; 7 were answered, and it is still open' }
  })
})

test('who says nothing is not asked, nor who says too much', async () => {
  expect(await held(3, 'timeout=5')).toBeUndefined()
  expect(await held(0, 'max=100000')).toEqual({
    ...{ field: 'Keep-Alive: max', verdict: 'unsaid' },
    because:
      'max=100000; not asked so often ' +
      '(--limits requests-per-connection --up-to requests-per-connection=100001)'
  })
})

test('who ends a connection as it refuses is not accused of it', async () => {
  expect(await held(0, 'max=20', 9)).toEqual({
    ...{ field: 'Keep-Alive: max', verdict: 'unsaid' },
    because: 'max=20; 9 were answered, and from 9 on with 429'
  })
})
