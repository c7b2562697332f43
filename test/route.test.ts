import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/client/client.ts'
import { closed } from '../src/load/load.ts'
import { lookupOf, routeTo } from '../src/route.ts'
import { listenAt } from './listen-at.ts'
import { ask } from './load/ask.ts'

test.each(['http://127.0.0.1:1', 'https://[::1]', 'http://127.9.9.9'])('%s leads there', (url) => {
  const host = new URL(url).hostname.replace(/[[\]]/g, '')
  expect(routeTo(url)).toEqual({ addresses: [host] })
})

test.each(['http://localhost', 'http://192.0.2.1', 'http://a.localhost:1'])(
  'nothing is sent to %s that nobody has checked',
  (origin) => {
    expect(() => routeTo(origin)).toThrow(`nobody has checked where ${origin} leads`)
    expect(() => createClient({ endpoint: { url: origin } })).toThrow(/nobody has checked/)
    expect(routeTo(origin, { [origin]: { addresses: ['127.0.0.1'] } })).toEqual({
      addresses: ['127.0.0.1']
    })
  }
)

test('a name without an address is not asked for again', async () => {
  const socket = connect({ host: 'localhost', port: 1, lookup: lookupOf({ addresses: [] }) })
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.on('error', resolve))
  expect(error.code).toBe('ENOTFOUND')
})

describe('what was checked is where it goes, whatever the name says by now', () => {
  // No name service knows this name.
  const place = async () => {
    const there = await listenAt('127.0.0.7')
    const url = `http://plimsoll.test:${there.port}/`
    return { there, url, route: { addresses: ['127.0.0.7'] } }
  }

  test('a question over connections that stay, and one on its own', async () => {
    const { there, url, route } = await place()
    const client = createClient({ endpoint: { url: new URL(url).origin, route } })
    expect((await client.get('/')).because).toBe('HTTP 200')
    expect((await client.send({ method: 'GET', path: '/' })).because).toBe('HTTP 200')
    await client.close()
    expect(there.hosts()).toEqual([new URL(url).host, new URL(url).host])
  })

  const all = ['wire', 'uring', 'undici', 'autocannon'] as const

  test.each(all)('a load by %s', async (transport) => {
    const { there, url, route } = await place()
    const routes = { [new URL(url).origin]: route }
    const load = closed({ connections: 2, iterations: 20, seconds: 30 })
    const { results } = await ask({ url }, load, { transport, routes })
    expect(results).toEqual({ 200: 20 })
    expect(new Set(there.hosts())).toEqual(new Set([new URL(url).host]))
  })

  test.each(all)('at the address that listens, by %s', async (transport) => {
    const there = await listenAt('127.0.0.7')
    const url = `http://plimsoll.test:${there.port}/`
    const routes = { [new URL(url).origin]: { addresses: ['::1', '127.0.0.7'] } }
    const load = closed({ connections: 2, iterations: 20, seconds: 30 })
    const { results } = await ask({ url }, load, { transport, routes })
    expect(results).toEqual({ 200: 20 })
  })

  test('and a request that a scenario makes up for elsewhere is a fault of its own', async () => {
    const { there, url, route } = await place()
    const load = closed({ connections: 1, iterations: 1, seconds: 30 })
    const elsewhere = () => ({ url: 'http://192.0.2.1/' })
    const { faults } = await ask(elsewhere, load, { routes: { [new URL(url).origin]: route } })
    expect(Object.keys(faults).join()).toMatch(/nobody has checked where http:\/\/192\.0\.2\.1/)
    expect(there.hosts()).toEqual([])
  })
})
