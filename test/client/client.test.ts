import { describe, expect, onTestFinished, test } from 'vitest'
import { createMeterMemory } from '../../src/caps.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { isAnswered, isOk } from '../../src/client/reply.ts'
import { nowhere, say, serve, talk } from './servers.ts'

/** A client that is closed when the test has finished. */
function connect(url: string, options: Partial<Parameters<typeof createClient>[0]> = {}): Client {
  const client = createClient({ endpoint: { url }, ...options })
  onTestFinished(() => client.close())
  return client
}

/** A server that tells what it was asked. */
const mirror = () =>
  serve(async (request, response) => {
    const parts = await request.toArray()
    const { method, url, headers } = request
    const body = Buffer.concat(parts).toString()
    response.setHeader('x-twice', ['1', '2'])
    response.end(JSON.stringify({ method, url, headers, body }))
  })

describe('what is sent', () => {
  test.each(['get', 'post', 'put', 'patch', 'delete', 'options'] as const)('%s', async (method) => {
    const url = await mirror()
    const reply = await connect(`${url}/v4`)[method]('/zones?a=b')
    expect(reply.json).toMatchObject({ method: method.toUpperCase(), url: '/v4/zones?a=b' })
    expect(reply.request).toEqual({
      method: method.toUpperCase(),
      url: `${url}/v4/zones?a=b`,
      bodyBytes: 0
    })
  })

  test('head has no body', async () => {
    const reply = await connect(await mirror()).head('/')
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: '', received: 0 })
  })

  test('JSON, text and bytes', async () => {
    const client = connect(await mirror())
    const json = await client.post('/', { json: { name: 'é' } })
    expect(json.json).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: '{"name":"é"}'
    })
    expect(json).toMatchObject({ sent: 13, phase: 'end', request: { bodyBytes: 13 } })
    expect((await client.put('/', { body: 'text' })).json.body).toBe('text')
    expect((await client.patch('/', { body: Buffer.from('bytes') })).json.body).toBe('bytes')
    expect((await client.delete('/', { json: [] })).json.body).toBe('[]')
  })

  test.each([1, 5, 13, 1_000])('a body in chunks of %i bytes', async (chunkBytes) => {
    const client = connect(await mirror())
    for (const _ of ['one', 'another over the same connection']) {
      const { json, sent, request } = await client.post('/', { json: { name: 'é' }, chunkBytes })
      expect(json.body).toBe('{"name":"é"}')
      expect(json.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
      expect(json.headers).not.toHaveProperty('content-length')
      expect([sent, request.bodyBytes]).toEqual([13, 13])
    }
  })

  test('a query', async () => {
    const query = { page: 2, name: 'a b&c', none: undefined }
    const client = connect(await mirror())
    expect((await client.get('/x', { query })).json.url).toBe('/x?page=2&name=a%20b%26c')
    expect((await client.get('/x?y', { query })).json.url).toBe('/x?y&page=2&name=a%20b%26c')
    expect((await client.get('/x', { query: {} })).json.url).toBe('/x')
  })

  test("headers of the endpoint, of a changed client, and of one request's", async () => {
    const url = await mirror()
    const client = connect(url, {
      endpoint: { url, headers: { Authorization: 'Bearer one', 'X-A': 'a' } }
    })
    const seen = async (asked: Client, headers?: Record<string, string>) => {
      const { json } = await asked.get('/', { headers })
      return [json.headers.authorization, json.headers['x-a'], json.headers.host]
    }
    const host = new URL(url).host
    expect(await seen(client)).toEqual(['Bearer one', 'a', host])
    expect(await seen(client, { 'x-a': 'b' })).toEqual(['Bearer one', 'b', host])
    const anonymous = client.with({ authorization: undefined, 'X-a': 'c' })
    expect(await seen(anonymous)).toEqual([undefined, 'c', host])
    expect(await seen(anonymous.as('zone.test'))).toEqual([undefined, 'c', 'zone.test'])
    expect(await seen({ ...client.as('zone.test') })).toEqual(['Bearer one', 'a', 'zone.test'])
    expect(await seen(client)).toEqual(['Bearer one', 'a', host])
  })

  test('every request is sent once, and redirects are not followed', async () => {
    let requests = 0
    const url = await serve((_, response) => {
      requests++
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const reply = await connect(url).get('/')
    expect(reply).toMatchObject({ kind: 'answered', status: 307, because: 'HTTP 307' })
    expect(reply.headers.location).toBe('/elsewhere')
    expect(requests).toBe(1)
  })

  test('with caps, one after the other at the distance they demand', async () => {
    let now = 0
    const waits: number[] = []
    const clock = {
      now: () => now,
      async until(time: number) {
        waits.push(time)
        now = Math.max(now, time)
      }
    }
    const client = connect(await mirror(), { perSecond: 4, clock })
    await client.get('/')
    await client.as('zone.test').get('/')
    await client.send({ method: 'GET', path: '/' })
    expect(waits).toEqual([0, 250, 500])
  })
})

describe('what comes back', () => {
  test('a status, headers, text and no JSON', async () => {
    const url = await serve((_, response) => {
      response.writeHead(404, { 'set-cookie': ['a=1', 'b=2'], 'X-A': 'b' }).end('<p>none</p>')
    })
    const reply = await connect(url).get('/')
    expect(reply).toMatchObject({
      kind: 'answered',
      status: 404,
      body: '<p>none</p>',
      json: undefined,
      received: 11,
      sent: 0,
      phase: 'end',
      because: 'HTTP 404'
    })
    expect(reply.headers).toMatchObject({ 'set-cookie': 'a=1, b=2', 'x-a': 'b' })
    expect(reply.ms).toBeGreaterThan(0)
    expect([isAnswered(reply), isOk(reply)]).toEqual([true, false])
  })

  test('more body than is kept', async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(9_000_000, '1')))
    const { body, json, received } = await connect(url).get('/')
    expect([body.length, json, received]).toEqual([65_536, undefined, 9_000_000])
  })

  test('an answer that is given before the body has been read', async () => {
    const url = await serve((_, response) => {
      response.writeHead(413, { connection: 'close' }).end()
    })
    expect(await connect(url).post('/', { body: 'x'.repeat(20_000) })).toMatchObject({
      kind: 'answered',
      status: 413
    })
  })

  test('interim responses are passed over', async () => {
    const url = await say('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok')
    expect(await connect(url).get('/')).toMatchObject({ status: 200, body: 'ok' })
  })
})

describe('what goes wrong is a reply', () => {
  test('nobody listens', async () => {
    const url = await nowhere()
    expect(await connect(url).post('/', { body: 'abc' })).toMatchObject({
      kind: 'refused',
      status: 0,
      phase: 'connect',
      sent: 0,
      ms: 0,
      because: `connection refused at ${new URL(url).host}`
    })
  })

  test('no such host', async () => {
    const endpoint = { url: 'http://nobody.invalid', route: { addresses: [] } }
    const client = createClient({ endpoint })
    onTestFinished(() => client.close())
    const replies = [await client.get('/'), await client.send({ method: 'GET', path: '/' })]
    for (const reply of replies) {
      const because = 'no address is known for nobody.invalid:80'
      expect(reply).toMatchObject({ kind: 'refused', because })
    }
  })

  test('nothing once the time that was authorised is up', async () => {
    const url = await mirror()
    const caps = { requestsPerSecond: 4, seconds: 1, untilMs: 9e9, meter: createMeterMemory() }
    let now = 1_000
    const clock = {
      now: () => now,
      async until(time: number) {
        now = Math.max(now, time)
      }
    }
    const endpoint = { url, route: { addresses: ['127.0.0.1'], caps } }
    const client = createClient({ endpoint, clock })
    onTestFinished(() => client.close())
    const asked = [client.get('/'), client.send({ method: 'GET', path: '/' })]
    const replies = await Promise.all([...asked, client.get('/'), client.get('/'), client.get('/')])
    expect(replies.map(({ kind }) => kind).sort()).toEqual([...Array(4).fill('answered'), 'unsent'])
    const last = await client.send({ method: 'GET', path: '/' })
    const because = `not sent: the time that is authorised for ${new URL(url).host} is up`
    expect(last).toMatchObject({ kind: 'unsent', status: 0, phase: 'connect', because })
  })

  test.each([
    { name: 'nothing', answer: '', because: 'closed before any answer', status: 0 },
    {
      name: 'an interim response',
      answer: 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
      because: 'closed before any answer',
      status: 0
    },
    {
      name: 'less than promised',
      answer: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello',
      because: "HTTP 200, but closed after 5 of 9 bytes of the answer's body",
      status: 200
    },
    {
      name: 'no last chunk',
      answer: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
      because: "HTTP 200, but closed after 5 bytes of the answer's body",
      status: 200
    }
  ])('closed after $name', async ({ answer, because, status }) => {
    const reply = await connect(await say(answer)).get('/')
    expect(reply).toMatchObject({ kind: 'closed', because, status, phase: 'end' })
    expect([isAnswered(reply), isOk(reply)]).toEqual([false, false])
  })

  test.each(['SSH-2.0-OpenSSH_9\r\n', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'])(
    'garbage: %j',
    async (answer) => {
      const reply = await connect(await say(answer)).get('/')
      expect(reply).toMatchObject({
        kind: 'garbage',
        because: expect.stringMatching(/^not HTTP: /)
      })
    }
  )

  test('no byte', async () => {
    const url = await talk(() => {})
    const client = connect(url, { timeoutMs: 400 })
    expect(await client.get('/')).toMatchObject({
      kind: 'timeout',
      status: 0,
      because: 'no byte for 400 ms'
    })
    expect((await client.get('/', { timeoutMs: 300 })).because).toBe('no byte for 300 ms')
  })

  test('no byte after the head', async () => {
    const url = await talk((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi'))
    })
    expect(await connect(url, { timeoutMs: 400 }).get('/')).toMatchObject({
      kind: 'timeout',
      status: 200,
      received: 2,
      because: 'no byte for 400 ms'
    })
  })

  test('a slow answer is none of that, as long as something comes', async () => {
    const url = await talk((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n')
      const timer = setInterval(() => socket.write('x'), 200)
      socket.on('close', () => clearInterval(timer))
    })
    const reply = await connect(url, { timeoutMs: 1_000 }).get('/')
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: 'xxxxxx' })
  })

  test('no end of a head, no end of an answer', async () => {
    const drip = async (start: string) =>
      talk((socket) => {
        socket.write(start)
        const timer = setInterval(() => socket.write('x'), 10)
        socket.on('close', () => clearInterval(timer))
      })
    const options = { timeoutMs: 5_000, deadlineMs: 500 }
    for (const start of ['HTTP/1.1 200 OK\r\na: ', 'HTTP/1.1 200 OK\r\n\r\n']) {
      expect(await connect(await drip(start)).get('/', options)).toMatchObject({
        kind: 'timeout',
        because: 'not finished after 500 ms'
      })
    }
  })
})

describe('misuse is a TypeError', () => {
  test.each(['nonsense', 'ftp://127.0.0.1/'])('an endpoint at %j', (url) => {
    expect(() => createClient({ endpoint: { url } })).toThrow(TypeError)
  })

  test('a path, a header or a length that cannot be sent', async () => {
    const client = connect(await mirror())
    await expect(client.get('zones')).rejects.toThrow(TypeError)
    await expect(client.send({ method: 'GET', path: 'zones' })).rejects.toThrow(TypeError)
    await expect(client.get('/', { headers: { a: 'b\nc' } })).rejects.toThrow(TypeError)
    const headers = { 'content-length': '9' }
    await expect(client.post('/', { body: 'abc', headers })).rejects.toThrow(TypeError)
  })

  test('a request after the client was closed', async () => {
    const client = connect(await mirror())
    await client.get('/')
    await client.close()
    await expect(client.get('/')).rejects.toThrow(TypeError)
  })
})

test('closing waits for the requests under way', async () => {
  let release = () => {}
  const arrived = Promise.withResolvers<void>()
  const url = await serve((_, response) => {
    release = () => response.end('late')
    arrived.resolve()
  })
  const client = createClient({ endpoint: { url } })
  const reply = client.get('/')
  await arrived.promise
  const closed = client.close()
  release()
  expect((await reply).body).toBe('late')
  await closed
})

test('connections are kept, and as many are opened as there are requests at a time', async () => {
  let connections = 0
  const waiting: (() => void)[] = []
  const url = await talk((socket) => {
    connections++
    socket.on('data', (bytes) => {
      const answer = () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      if (bytes.toString().startsWith('GET /together')) waiting.push(answer)
      else answer()
      if (waiting.length === 8) for (const release of waiting) release()
    })
  })
  const client = connect(url)
  for (let n = 0; n < 6; n++) await client.get('/')
  // undici gives a connection a turn of the loop to be closed before it uses it again.
  expect(connections).toBeLessThanOrEqual(2)
  const replies = await Promise.all(Array.from({ length: 8 }, () => client.get('/together')))
  expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200))
})
