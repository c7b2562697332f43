import { createHash } from 'node:crypto'
import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { digest } from '../../src/client/payload.ts'
import { certificate } from './certificate.ts'
import { listen, talk } from './servers.ts'

/** A client of a TLS server that proves to be zone.test, to those who believe its certificate. */
async function connect(): Promise<{ client: Client; cert: string }> {
  const { key, cert } = certificate('zone.test')
  const server = createServer({ key, cert }, async (request, response) => {
    const parts = await request.toArray()
    const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
    response.end(JSON.stringify({ host: request.headers.host, sha256 }))
  })
  const url = (await listen(server)).replace('http:', 'https:')
  const client = createClient({ endpoint: { url } })
  onTestFinished(() => client.close())
  return { client, cert }
}

/** Believes a certificate until the test has finished. */
function believe(cert: string): void {
  const before = getCACertificates()
  setDefaultCACertificates([...before, cert])
  onTestFinished(() => setDefaultCACertificates(before))
}

const ways = [
  { way: 'get', ask: (client: Client) => client.get('/') },
  { way: 'send', ask: (client: Client) => client.send({ method: 'GET', path: '/' }) }
]

describe.each(ways)('over TLS, by $way', ({ ask }) => {
  test('a target that proves who it is', async () => {
    const { client, cert } = await connect()
    believe(cert)
    const reply = await ask(client.as('zone.test'))
    expect(reply).toMatchObject({ status: 200, json: { host: 'zone.test' }, because: 'HTTP 200' })
  })

  test('one that proves to be another', async () => {
    const { client, cert } = await connect()
    believe(cert)
    expect(await ask(client.as('other.test'))).toMatchObject({
      kind: 'refused',
      phase: 'connect',
      because: expect.stringContaining("does not match certificate's altnames")
    })
  })

  test('whoever is there, where that is no matter', async () => {
    const { url } = (await connect()).client
    const client = createClient({ endpoint: { url, verifyTls: false } })
    onTestFinished(() => client.close())
    expect(await ask(client.as('zone.test'))).toMatchObject({ json: { host: 'zone.test' } })
  })

  test('one that nobody vouches for', async () => {
    const { client } = await connect()
    expect(await ask(client.as('zone.test'))).toMatchObject({
      kind: 'refused',
      because: expect.stringContaining('self-signed certificate')
    })
  })

  test('one that accepts the connection and never shakes hands', async () => {
    const url = (await talk(() => {})).replace('http:', 'https:')
    const client = createClient({ endpoint: { url }, timeoutMs: 300 })
    expect(await ask(client)).toMatchObject({
      kind: 'refused',
      phase: 'connect',
      because: `no connection in time at ${new URL(url).host}`
    })
  })

  test('an address is proved too', async () => {
    const { client, cert } = await connect()
    believe(cert)
    expect((await ask(client)).because).toContain("IP: 127.0.0.1 is not in the cert's list")
  })
})

test('a body over TLS', async () => {
  const { client, cert } = await connect()
  believe(cert)
  const body = { bytes: 3_000_000, framing: 'length' } as const
  const reply = await client.as('zone.test').send({ method: 'POST', path: '/', body })
  expect(reply).toMatchObject({ status: 200, json: { sha256: digest(3_000_000) }, phase: 'end' })
})
