import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { claimsHeld } from '../../../src/cli/commands/probe-claims.ts'
import { createClient } from '../../../src/client/client.ts'
import { findBaseline } from '../../../src/limit/baseline.ts'

/** What is said of a server that takes a thousand, and five on a connection, in the time left. */
async function held({ leftMs, isStopped = false }: { leftMs: number; isStopped?: boolean }) {
  let left = 1_000
  const server = createServer((_, response) => {
    response.setHeader('x-ratelimit-limit', '1000').setHeader('x-ratelimit-remaining', --left)
    response.setHeader('keep-alive', 'timeout=72, max=5').setHeader('accept-ranges', 'none')
    response.end('hello')
  })
  server.maxRequestsPerSocket = 5
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const client = createClient({ endpoint })
  onTestFinished(client.close)
  const ask = () => client.get('/')
  const baseline = await findBaseline(ask)
  if (typeof baseline === 'string') throw new Error(baseline)
  const { signal } = new AbortController()
  const { findings, because } = await claimsHeld({
    ...{ client, endpoint, ask, baseline, usual: await ask(), signal, mostRequests: 30 },
    ...{ question: { method: 'GET', path: '/', headers: [] }, note: () => {}, asks: () => {} },
    ...{ stopped: () => isStopped, leftMs: () => leftMs, withClaims: true, withRace: false }
  })
  return { because, found: findings.map((one) => [one.field, one.verdict, one.because]) }
}

test('rates come before a wait that there is no time for, and each field is told', async () => {
  const { found, because } = await held({ leftMs: 20_000 })
  const asked =
    /^all 30 were accepted in .* s, \d+ are left, and no more may be sent \(--requests\)$/
  expect(found).toEqual([
    ['X-Ratelimit-Limit', 'unsaid', expect.stringMatching(asked)],
    ['X-Ratelimit-Remaining', 'unsaid', because],
    ['Accept-Ranges', 'true', 'none; the first byte alone is answered 200 with 5 bytes'],
    ['Keep-Alive: max', 'true', 'max=5; 5 were answered, of which the last said so'],
    ...[['Keep-Alive: timeout', 'unsaid', expect.stringMatching(/^timeout=72; 20 s were left/)]]
  ])
})

test('what there was no time for at all is listed with that reason', async () => {
  const { found, because } = await held({ leftMs: 0, isStopped: true })
  expect(because).toBe('not asked by the time that the time was up (--time)')
  expect(found.map(([field, verdict]) => `${field} ${verdict}`)).toEqual([
    'Accept-Ranges true',
    'X-Ratelimit-Limit unsaid',
    'X-Ratelimit-Remaining unsaid',
    'Keep-Alive: timeout unsaid',
    'Keep-Alive: max unsaid'
  ])
})
