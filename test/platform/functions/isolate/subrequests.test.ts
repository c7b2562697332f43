import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Call } from '../../../../src/platform/functions/isolate/contract.ts'
import { serve } from './elsewhere.ts'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

const code = codeOf('fetching')

const held: (() => void)[] = []
const elsewhere = await serve((request, response) => {
  const [, what, left] = request.url!.split('/')
  if (what === 'hop' && left !== '0')
    return response.writeHead(302, { location: `/hop/${Number(left) - 1}` }).end('moved')
  if (what === 'moved') return response.writeHead(307, { location: '/echo' }).end()
  if (what === 'drip') return void response.write('d')
  if (what === 'never') return
  if (what === 'slow') return void setTimeout(() => response.end('ok'), 20)
  if (what === 'echo') return void request.pipe(response)
  if (what === 'zipped')
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unzipped'))
  response.end('ok')
})
const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket))
let mostSockets = 0
let sockets = 0
echo.on('connection', (socket) => {
  mostSockets = Math.max(mostSockets, ++sockets)
  socket.on('close', () => sockets--)
  socket.on('error', () => {})
})
await new Promise<void>((resolve) => void echo.listen(0, '127.0.0.1', resolve))
const echoPort = (echo.address() as { port: number }).port

const calls: Call[] = []
const isolates = openTestIsolates({
  spares: 1,
  services: {
    fetchTarget({ protocol, hostname }) {
      if (hostname === 'refused.test') return { refused: 'this host may not be fetched' }
      if (hostname === 'down.test') return { at: { host: '127.0.0.1', port: 1 } }
      return { at: { host: '127.0.0.1', port: protocol === 'tcp:' ? echoPort : elsewhere.port } }
    },
    async call(call) {
      calls.push(call)
      return { value: null }
    }
  }
})
const spec = specOf(code, { env: { KV: { kind: 'kv', id: 'namespace' } } })
afterAll(async () => {
  await isolates.close()
  echo.close()
  await elsewhere.close()
})
beforeEach(() => {
  Object.assign(elsewhere, { requests: [], mostOpen: 0 })
  calls.length = 0
  held.length = 0
})

async function ask(path: string, different: Partial<typeof spec> = {}) {
  const { text, failed, record } = await isolates.ask({ ...spec, ...different }, { path })
  return { value: text === undefined ? failed : JSON.parse(text), record }
}

const over = 'Too many subrequests.'
const count = (values: unknown[], value: unknown) => values.filter((one) => one === value).length

describe('subrequests', () => {
  test('fifty are made, and no more', async () => {
    const { value, record } = await ask('/fetches?n=53')
    expect([count(value, 'ok'), count(value, over)]).toEqual([50, 3])
    expect(elsewhere.requests).toHaveLength(50)
    expect(record).toMatchObject({ outcome: 'ok', subrequests: 50, internalSubrequests: 0 })
  })

  test('each hop of a redirect counts', async () => {
    const { value, record } = await ask('/redirect?n=3')
    expect(value).toEqual([200, 'http://elsewhere.test/hop/0', true, 'ok'])
    expect(record.subrequests).toBe(4)
  })

  test('a chain ends where subrequests do', async () => {
    const limits = limitsOf({ subrequests: 3 })
    const { value } = await ask('/redirect?n=3', { limits, version: 'three' })
    expect(value.message).toBe(over)
    expect(elsewhere.requests).toHaveLength(3)
  })

  test('a chain of more than twenty is not followed', async () => {
    expect((await ask('/redirect?n=21')).value.message).toBe('Too many redirects.')
  })

  test('a redirect that is not followed counts once', async () => {
    const { value, record } = await ask('/manual')
    expect(value).toEqual([302, '/hop/1'])
    expect(record.subrequests).toBe(1)
  })

  test('cache calls are taken from the same quota', async () => {
    const { value, record } = await ask('/cached?n=60')
    expect([count(value, over), record.subrequests]).toEqual([10, 50])
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.length + elsewhere.requests.length).toBe(50)
  })

  test('internal services have a quota of their own', async () => {
    const { value, record } = await ask('/kv?n=1002')
    expect([count(value, null), count(value, over)]).toEqual([1_000, 2])
    expect(record).toMatchObject({ subrequests: 0, internalSubrequests: 1_000 })
  })
})

describe('connections', () => {
  test('there are never more than six, and all come to their turn', async () => {
    const { value } = await ask('/slow?n=20')
    expect(count(value, 'ok')).toBe(20)
    expect(elsewhere.mostOpen).toBe(6)
  })

  test('giving up on a body frees its connection', async () => {
    const { value, record } = await ask('/cancelled?n=14')
    expect(count(value, 'cancelled')).toBe(14)
    expect(elsewhere.mostOpen).toBe(6)
    expect(record.logs).toEqual([])
  })

  test('a redirect that is an error leaves none open', async () => {
    const { value, record } = await ask('/barred?n=9')
    expect(count(value, 'A redirect was met where none was allowed.')).toBe(9)
    expect(record.logs).toEqual([])
  })

  test('unread bodies hold theirs, until that is a deadlock', async () => {
    const { value, record } = await ask('/unread?n=9')
    expect(count(value, 200)).toBe(9)
    expect(record.logs.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn'])
  })

  test('a deadlock ends the one used least recently; using that throws', async () => {
    const { value } = await ask('/stuck')
    expect(value).toEqual(['ok', 'Response closed due to connection limit', 1, 1, 1, 1])
  })

  test('sockets count', async () => {
    mostSockets = 0
    const { value } = await ask('/sockets?n=8')
    expect(count(value, 'open')).toBe(8)
    expect(mostSockets).toBeLessThanOrEqual(6)
  })
})

test.each([
  { path: '/post', value: 'whole' },
  { path: '/moved', value: 'again' },
  { path: '/streamed', value: 'in parts' },
  { path: '/zipped', value: [null, 'unzipped'] },
  { path: '/head', value: [200, null] },
  { path: '/aborted', value: ['This operation was aborted'] },
  { path: '/socket', value: 'hello' },
  {
    path: '/refused',
    value: ['this host may not be fetched', 'Fetch API cannot load: ftp://elsewhere.test/']
  },
  { path: '/down', value: ['fetch failed: ECONNREFUSED'] }
])('$path', async ({ path, value }) => {
  expect((await ask(path)).value).toEqual(value)
})
