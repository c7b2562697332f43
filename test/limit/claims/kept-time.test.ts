import { once } from 'node:events'
import { createServer, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { createLineMaker } from '../../../src/client/line.ts'
import { clock } from '../../../src/clock.ts'
import { keptBy, keptTime } from '../../../src/limit/claims/kept-time.ts'

/** What is said of a server with such settings, which says so, in the time there is. */
async function held(options: ServerOptions, said: string | undefined, leftMs = 60_000) {
  const server = createServer(options, (_, response) => {
    if (said !== undefined) response.setHeader('keep-alive', said)
    response.end('hello')
  })
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const client = createClient({ endpoint })
  onTestFinished(client.close)
  return keptTime({
    ...{ client, maker: createLineMaker({ endpoint, clock }), clock, stopped: () => false },
    leftMs: () => leftMs,
    ordinary: { method: 'GET', path: '/', headers: [] }
  })
}

const field = 'Keep-Alive: timeout'
const quick: ServerOptions = { keepAliveTimeout: 1_000, keepAliveTimeoutBuffer: 0 }

test('who keeps a connection for as long as it says tells the truth', async () => {
  expect(await held(quick, undefined)).toEqual({
    ...{ field, verdict: 'true' },
    because: expect.stringMatching(/^timeout=1; answered when used again after 0/)
  })
})

test('who ends it sooner does not', async () => {
  expect(await held(quick, 'timeout=3, max=9')).toEqual({
    ...{ field, verdict: 'false' },
    because: expect.stringMatching(/^timeout=3; closed after [01]\.\d\d s$/)
  })
})

test('what there is no time for is unsaid, with how to ask', async () => {
  const unsaid = (because: string) => ({ field, verdict: 'unsaid', because })
  expect(await held({}, 'timeout=72', 35_000)).toEqual({
    ...unsaid('timeout=72; 35 s were left to wait for that, and 38 s more are needed (--time)'),
    isTimeUp: true
  })
  expect(await held({}, 'timeout=600')).toEqual(
    unsaid('timeout=600; not waited for (--limits idle --up-to idle=630s)')
  )
  expect(await held({}, 'timeout=0')).toEqual(unsaid('timeout=0; too short to be waited for'))
  expect(await held({}, 'max=5')).toBeUndefined()
})

test('both are read from one field', () => {
  expect(keptBy('timeout=72, max=100')).toEqual({ timeoutMs: 72_000, max: 100 })
  expect([keptBy(), keptBy('max=1')]).toEqual([{}, { max: 1 }])
})
