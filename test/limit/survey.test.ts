import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { clock } from '../../src/clock.ts'
import type { DimensionName, Ordinary } from '../../src/limit/dimension.ts'
import { type DimensionFound, surveyDimension, type Unfound } from '../../src/limit/survey.ts'
import { listen, nowhere, talk } from '../client/servers.ts'

/** Looks for a limit of a server that does with requests what the test says. */
async function survey(
  name: DimensionName,
  { url, ordinary = {}, ceiling }: { url: string; ordinary?: Partial<Ordinary>; ceiling?: number }
) {
  const client = createClient({ endpoint: { url } })
  onTestFinished(client.close)
  return surveyDimension(name, {
    ...{ client, clock, ceiling, repeats: 2, stopped: () => false },
    ordinary: { method: 'GET', path: '/', headers: [], ...ordinary }
  })
}

const start = (onRequest: RequestListener, options: { maxHeaderSize?: number } = {}) =>
  listen(createServer({ maxHeaderSize: 1_048_576, ...options }, onRequest))

const lines = (found: DimensionFound | Unfound) => {
  if ('because' in found) return found.because
  return found.boundaries.map(({ boundary: { accepted, rejected } }) => [accepted, rejected])
}

test('a URL is measured with the path it begins with', async () => {
  const url = await start((request, response) => {
    response.writeHead(request.url!.length > 2_000 ? 414 : 200).end()
  })
  const found = await survey('url', { url, ordinary: { path: '/a?b=c' } })
  expect(lines(found)).toEqual(Array(3).fill([2_000, 2_001]))
  const reading = { what: 'the request target', number: 2_000, isBelow: false }
  expect(found).toMatchObject({ status: 414, readings: [{ reading }] })
})

test('the head limit of this Node is read as what Node counts', async () => {
  const url = await start((_, response) => response.end(), { maxHeaderSize: 4_096 })
  const found = await survey('headers', { url })
  const what = 'the request target and all names and values of headers'
  const reading = { what, number: 4_096, isBelow: true }
  expect(found).toMatchObject({ status: 431, readings: [{ reading }] })
})

test('the status is that of the refusal at the line, in each variant', async () => {
  const url = await start((request, response) => {
    const isBeside = request.headers['x-plimsoll-0'] !== undefined
    const far = request.url!.length > 4_000 ? 431 : isBeside ? 400 : 414
    response.writeHead(request.url!.length > 1_999 ? far : 200).end()
  })
  const found = (await survey('url', { url })) as DimensionFound
  expect(found.boundaries.map(({ status }) => status)).toEqual([414, 400, 414])
  expect(found.status).toBe(414)
})

test('a head that may be longer when it comes at once has two lines', async () => {
  const url = await talk((socket) => {
    let head = ''
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1')
      const isWhole = head.endsWith('\r\n\r\n')
      if (!isWhole && head.length <= 3_000) return
      const status = !isWhole || head.length > 9_000 ? 431 : 200
      socket.end(`HTTP/1.1 ${status} So\r\ncontent-length: 0\r\n\r\n`)
    })
  })
  const found = await survey('url', { url, ceiling: 20_000 })
  if ('because' in found) throw new Error(found.because)
  const [alone, , apart] = found.boundaries
  expect(apart!.variant).toBe('in two writes')
  expect(alone!.boundary.accepted! - apart!.boundary.accepted!).toBe(9_000 - 3_001)
})

test('a body is measured in both framings, by a POST where GET is usual', async () => {
  const methods = new Set<string>()
  const url = await start(async (request, response) => {
    let bytes = 0
    methods.add(request.method!)
    for await (const part of request) bytes += part.length
    const most = request.headers['content-length'] ? 3_000 : 5_000
    response.writeHead(bytes > most ? 413 : 200).end()
  })
  expect(lines(await survey('body', { url, ceiling: 20_000 }))).toEqual([
    [3_000, 3_001],
    [5_000, 5_001]
  ])
  expect([...methods]).toEqual(['POST'])
})

test('a count of headers is told from their size', async () => {
  const url = await start((request, response) => {
    response.writeHead(request.rawHeaders.length / 2 > 50 ? 431 : 200).end()
  })
  const found = await survey('header-count', { url })
  const reading = { what: 'header fields', number: 50, isBelow: false }
  expect(found).toMatchObject({ readings: [{ reading }] })
})

test('two lines that differ by variant are both read', async () => {
  const url = await start((request, response) => {
    const { length } = request.rawHeaders.join('')
    response.writeHead(request.rawHeaders.length > 400 || length > 4_000 ? 431 : 200).end()
  })
  const found = (await survey('header-count', { url })) as DimensionFound
  const [short] = found.readings
  expect(short).toEqual({
    variant: 'short ones',
    reading: { what: 'header fields', number: 200, isBelow: false }
  })
})

test.each([1_521, 1_777, 4_081])(
  'values of up to %i are no header lines, one of which is round by chance',
  async (most) => {
    const url = await start(({ rawHeaders }, response) => {
      const values = rawHeaders.filter((_, index) => index % 2 === 1)
      response.writeHead(values.some(({ length }) => length > most) ? 431 : 200).end()
    })
    const found = await survey('header', { url })
    expect(lines(found)).toEqual(Array(3).fill([most, most + 1]))
    const reading = { what: "the longest header's value", number: most, isBelow: false }
    expect(found).toMatchObject({ readings: [{ reading }] })
  }
)

test('a target of up to 2,032 is no request line of less than 2 KiB', async () => {
  const url = await start(({ url }, response) => {
    response.writeHead(url!.length > 2_032 ? 414 : 200).end()
  })
  const reading = { what: 'the request target', number: 2_032, isBelow: false }
  expect(await survey('url', { url })).toMatchObject({ readings: [{ reading }] })
})

test('what no other way to ask tells apart is read as nothing', async () => {
  const url = await start(({ url, method }, response) => {
    const isLong = url!.length > 2_032 && method === 'GET'
    response.writeHead(method !== 'GET' ? 405 : isLong ? 414 : 200).end()
  })
  const found = await survey('url', { url })
  expect(lines(found)).toEqual(Array(3).fill([2_032, 2_033]))
  expect(found).toMatchObject({ readings: [] })
})

test('no limit is no limit up to the ceiling', async () => {
  const url = await start((_, response) => response.end())
  const found = (await survey('header', { url, ceiling: 9_000 })) as DimensionFound
  expect(found.boundaries.map(({ boundary }) => boundary.kind)).toEqual(Array(3).fill('unlimited'))
  expect(found).toMatchObject({ status: 0, readings: [] })
})

test('how many at once cannot be asked of who does not wait for the end of a request', async () => {
  const url = await start((_, response) => response.writeHead(405).end())
  const because = 'answered 405 before all of the request is there'
  expect(await survey('concurrency', { url })).toEqual({ outcome: 'inapplicable', because })
  const crowded = await survey('connections', { url, ceiling: 5 })
  expect(lines(crowded)).toEqual([[5, undefined]])
})

test('nobody there, or nothing usual, is a reason', async () => {
  const gone = await survey('url', { url: await nowhere() })
  expect(gone).toMatchObject({
    outcome: 'inconclusive',
    because: expect.stringContaining('refused')
  })
  let count = 0
  const url = await start((_, response) => response.writeHead(count++ % 2 ? 200 : 500).end())
  expect(await survey('url', { url })).toMatchObject({
    outcome: 'inconclusive',
    because: expect.stringContaining('the same request is answered')
  })
})

test('a body says of what type it is, unless somebody else does', async () => {
  const url = await start((request, response) => {
    let size = 0
    request.on('data', (bytes: Buffer) => {
      size += bytes.length
    })
    request.on('end', () => {
      const type = request.headers['content-type']
      if (type === 'text/csv') return response.writeHead(415).end()
      response.writeHead(type === 'application/octet-stream' && size > 900 ? 413 : 200).end()
    })
  })
  const ceiling = 2_000
  expect(lines(await survey('body', { url, ceiling }))).toEqual(Array(2).fill([900, 901]))
  const ordinary: Partial<Ordinary> = { headers: [['Content-Type', 'text/csv']] }
  const because = 'POST is answered 415: -H content-type:… says what the body is'
  expect(await survey('body', { url, ceiling, ordinary })).toEqual({
    outcome: 'inapplicable',
    because
  })
})

test('who takes no body at all has no limit on it, unless one shows', async () => {
  const refusing = await start((request, response) => {
    response.writeHead(request.method === 'GET' ? 200 : 405).end()
    request.resume()
  })
  const found = await survey('body', { url: refusing, ceiling: 2_000 })
  expect(found).toEqual({ outcome: 'inapplicable', because: 'POST is answered 405' })
  const absent = await start((request, response) => {
    response.writeHead(request.method === 'GET' ? 200 : 404).end()
    request.resume()
  })
  expect(await survey('body', { url: absent, ceiling: 2_000 })).toMatchObject({ usual: 404 })
})

test('crowds that contradict themselves, as connections end late, are asked again', async () => {
  let under = 0
  let asked = 0
  const url = await start((request, response) => {
    const isRefused = ++under > 5
    // Of the first fifty each is counted for a while after its end.
    const lateMs = asked++ < 50 ? 40 : 0
    response.on('close', () => setTimeout(() => under--, lateMs))
    if (isRefused) response.statusCode = 503
    request.resume().on('end', () => response.end())
  })
  expect(lines(await survey('concurrency', { url, ceiling: 20 }))).toEqual([[5, 6]])
})
