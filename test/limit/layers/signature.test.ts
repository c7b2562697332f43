import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { refuserOf, signatureOf } from '../../../src/limit/layers/signature.ts'
import { hasNginx } from '../../end-to-end/nginx.ts'
import { reply } from '../replies.ts'
import { startFront, startOrigin } from './front.ts'

const long = `/?${'a'.repeat(20_000)}`

test.skipIf(!hasNginx())(
  'a page of nginx is known, and what it passes on is not its own',
  async () => {
    const front = await startFront({ origin: await startOrigin({ keptMs: 5_000 }) })
    const client = createClient({ endpoint: { url: front } })
    onTestFinished(client.close)
    const usual = await client.get('/')
    expect(signatureOf(usual)).toBeUndefined()
    const refusal = await client.get(long)
    expect(refusal.status).toBe(414)
    expect(refuserOf(refusal, usual)).toBe('nginx, by its error page')
    const passedOn = await client.post('/', { body: 'a'.repeat(20_001) })
    expect(passedOn.status).toBe(413)
    expect(refuserOf(passedOn, usual)).toBeUndefined()
  }
)

test("Node's parser is known by its bare head, and a handler's 431 is not it", async () => {
  const server = createServer((_, response) => response.writeHead(431).end())
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ endpoint: { url } })
  onTestFinished(client.close)
  expect(signatureOf(await client.get(long))?.program).toBe("Node's parser")
  expect(signatureOf(await client.get('/'))).toBeUndefined()
})

test('another Server header than is usual tells of another server', () => {
  const usual = reply(200, { headers: { server: 'app' } })
  const other = reply(413, { headers: { server: 'edge' } })
  expect(refuserOf(other, usual)).toBe('edge, by its Server header; app answers as usual')
  expect(refuserOf(reply(413), usual)).toBe('not app, which answers as usual: no Server header')
  expect(refuserOf(reply(413, { headers: { server: 'app' } }), usual)).toBeUndefined()
  expect(refuserOf(reply(0, { kind: 'closed' }), usual)).toBeUndefined()
})
