import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  createHeaderDecoder,
  decodeBlock,
  type FieldBlock,
  maxBlockBytes
} from '../../../src/load/http2/header-decoder.ts'
import { encodeFields } from '../../../src/load/http2/header-encoder.ts'
import { closed } from '../../../src/load/load.ts'
import type { Session } from '../../../src/load/requests/journey.ts'
import { random } from '../../../src/random.ts'
import { ask } from '../ask.ts'

const decode = (decoder: ReturnType<typeof createHeaderDecoder>, hex: string) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  return decodeBlock(decoder, bytes, 0, bytes.length)
}

/** The fields of a block that can be read, as pairs, its status first. */
function pairsOf(block: FieldBlock | string): string[] {
  if (typeof block === 'string') throw new Error(block)
  const { status, fields } = block
  const pairs = fields.flatMap((one, index) => (index % 2 ? [] : [`${one}: ${fields[index + 1]}`]))
  return status > 0 ? [`:status: ${status}`, ...pairs] : pairs
}

test('the examples of RFC 7541, appendix C.4: requests, with Huffman codes', () => {
  const decoder = createHeaderDecoder()
  const start = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com']
  expect(pairsOf(decode(decoder, '828684418cf1e3c2e5f23a6ba0ab90f4ff'))).toEqual(start)
  expect(pairsOf(decode(decoder, '828684be5886a8eb10649cbf'))).toEqual([
    ...start,
    'cache-control: no-cache'
  ])
  expect(pairsOf(decode(decoder, '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf'))).toEqual([
    ...[':method: GET', ':scheme: https', ':path: /index.html'],
    ...[':authority: www.example.com', 'custom-key: custom-value']
  ])
  expect(decoder.table).toMatchObject({ count: 3, size: 164 })
})

test('the examples of appendix C.3: the same without codes', () => {
  const decoder = createHeaderDecoder()
  expect(pairsOf(decode(decoder, '828684410f7777772e6578616d706c652e636f6d'))).toHaveLength(4)
  expect(decode(decoder, '828684be58086e6f2d6361636865')).toMatchObject({
    fields: expect.arrayContaining(['cache-control', 'no-cache'])
  })
  expect(decoder.table).toMatchObject({ count: 2, size: 110 })
})

test('the examples of appendix C.6: responses, for which older entries give way', () => {
  const decoder = createHeaderDecoder()
  // The table has 256 bytes there, which the first block says here.
  const first =
    '3fe101 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6' +
    '2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3'
  const date = (second: number) => `date: Mon, 21 Oct 2013 20:13:${second} GMT`
  const place = 'location: https://www.example.com'
  const rest = ['cache-control: private', date(21), place]
  expect(pairsOf(decode(decoder, first))).toEqual([':status: 302', ...rest])
  expect(decoder.table).toMatchObject({ count: 4, size: 222 })
  expect(pairsOf(decode(decoder, '4883640effc1c0bf'))).toEqual([':status: 307', ...rest])
  const third =
    '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7' +
    '821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed' +
    '4ee5 b106 3d50 07'
  expect(pairsOf(decode(decoder, third))).toEqual([
    ...[':status: 200', 'cache-control: private', date(22), place, 'content-encoding: gzip'],
    'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'
  ])
  expect(decoder.table).toMatchObject({ count: 3, size: 215 })
})

test('a head that comes again and again leaves the table as if each had been read', () => {
  const again = Buffer.concat([
    encodeFields([[':status', '200']]),
    ...['one', 'two', 'three'].map((name) => {
      const field = encodeFields([[name, name.repeat(9)]])
      field[0] = 0x40
      return field
    })
  ])
  for (const times of [1, 2, 3, 17, 18, 30, 200]) {
    const [told, asked] = [createHeaderDecoder(), createHeaderDecoder()]
    for (let time = 0; time < times; time++) {
      decodeBlock(told, again, 0, again.length)
      // Nothing is known beside what was read last, so that this one is read each time.
      asked.knownBytes = 0
      decodeBlock(asked, again, 0, again.length)
    }
    const all = Buffer.from([
      0x88,
      ...Array.from({ length: asked.table.count }, (_, n) => 0xbe + n)
    ])
    const fields = pairsOf(decodeBlock(asked, all, 0, all.length))
    expect(fields.length).toBeGreaterThan(3)
    expect(pairsOf(decodeBlock(told, all, 0, all.length)), `${times} times`).toEqual(fields)
    expect(told.table.size).toBe(asked.table.size)
  }
})

test('what is not as it should be cannot be read, and says why', () => {
  const refused = {
    'an index of nothing': '80',
    'an index beyond the table': 'be',
    'a number without end': '88ffffffffffffffffff',
    'a number that is cut off': '887f',
    'a name that is cut off': '8840',
    'a value that is cut off': '8840 0161 05',
    'a text longer than the block': '8840 0161 7f',
    'an end of text within a code': '8840 0161 84 ffffffff',
    'padding of eight ones': '8840 0161 82 1fff',
    'padding of zeros': '8840 0161 81 18',
    'a table larger than ours': '3fe21f',
    'a change of the table among fields': '8820'
  }
  for (const [name, hex] of Object.entries(refused)) {
    expect(decode(createHeaderDecoder(), hex), name).toEqual(expect.any(String))
  }
})

test('what no response may say is a fault of it, and the next one can be read', () => {
  const faults: [string, [string, string][]][] = [
    ['no status', [[':path', '/']]],
    [
      'two',
      [
        [':status', '200'],
        [':status', '200']
      ]
    ],
    [
      'late',
      [
        ['a', 'b'],
        [':status', '200']
      ]
    ],
    ['odd', [[':status', '2000']]],
    [
      'upper case',
      [
        [':status', '200'],
        ['Via', 'b']
      ]
    ],
    [
      'a space in a name',
      [
        [':status', '200'],
        ['a b', 'b']
      ]
    ],
    [
      'a line break',
      [
        [':status', '200'],
        ['a', 'b\r\nc: d']
      ]
    ],
    [
      'a NUL',
      [
        [':status', '200'],
        ['a', 'b\0']
      ]
    ],
    [
      'blanks around',
      [
        [':status', '200'],
        ['a', ' b']
      ]
    ],
    [
      'of a connection',
      [
        [':status', '200'],
        ['connection', 'close']
      ]
    ],
    [
      'coded',
      [
        [':status', '200'],
        ['transfer-encoding', 'chunked']
      ]
    ],
    [
      'two lengths',
      [
        [':status', '200'],
        ['content-length', '1'],
        ['content-length', '1']
      ]
    ],
    [
      'no length',
      [
        [':status', '200'],
        ['content-length', '-1']
      ]
    ]
  ]
  const decoder = createHeaderDecoder()
  for (const [name, fields] of faults) {
    const bytes = encodeFields(fields)
    const block = decodeBlock(decoder, bytes, 0, bytes.length) as FieldBlock
    expect(block.fault, name).toEqual(expect.any(String))
  }
  const fine = encodeFields([
    [':status', '404'],
    ['content-length', '12'],
    ['x', 'ÿ!~']
  ])
  expect(decodeBlock(decoder, fine, 0, fine.length)).toEqual({
    ...{ status: 404, length: 12, fault: undefined },
    fields: ['content-length', '12', 'x', 'ÿ!~']
  })
})

test('a small block that unpacks to more than may be is refused: a bomb', () => {
  const decoder = createHeaderDecoder()
  const value = 'a'.repeat(4_000)
  const entry = encodeFields([['x', value]])
  // The same, to be remembered, and then named twenty times.
  entry[0] = 0x40
  const bomb = Buffer.concat([entry, Buffer.alloc(20, 0xbe)])
  expect(decodeBlock(decoder, bomb, 0, bomb.length)).toBe(
    `headers of more than ${maxBlockBytes} bytes`
  )
})

test('12,500 random blocks, and real ones with bytes changed, end in fields or in words', () => {
  const chance = random(22, 'blocks')
  const below = (most: number) => Math.floor(chance() * most)
  const real = encodeFields([
    ...([
      [':status', '200'],
      ['content-type', 'text/html'],
      ['x-trace', 'abcdef']
    ] as const)
  ])
  const wrong: number[] = []
  let [read, refused] = [0, 0]
  for (let turn = 0; turn < 500; turn++) {
    const decoder = createHeaderDecoder()
    for (let block = 0; block < 25; block++) {
      const bytes = block % 2 ? Buffer.from(real) : Buffer.alloc(1 + below(60))
      if (block % 2)
        for (let change = 0; change < 3; change++) bytes[below(bytes.length)] = below(256)
      else for (let at = 0; at < bytes.length; at++) bytes[at] = below(256)
      const found = decodeBlock(decoder, bytes, 0, bytes.length)
      if (typeof found === 'string') refused++
      else read++
      const { size, count, entries } = decoder.table
      const held = entries.filter((entry) => entry !== undefined).length
      if (size > 4_096 || count !== held) wrong.push(turn)
    }
  }
  expect(wrong).toEqual([])
  expect(read).toBeGreaterThan(1_000)
  expect(refused).toBeGreaterThan(1_000)
})

test('600 heads that Node packs are read as it says them, and ours by it', async () => {
  const chance = random(7, 'heads')
  const below = (most: number) => Math.floor(chance() * most)
  const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).filter(
    (one) => /[\x21-\x7e\xa1-\xff]/.test(one)
  )
  const word = () =>
    Array.from({ length: 1 + below(40) }, () => letters[below(letters.length)]).join('')
  const names = ['x-a', 'etag', 'location', 'x-much-longer-than-others', 'set-cookie', 'vary']
  const fields = (n: number) =>
    Object.fromEntries(
      names
        .slice(0, n % (names.length + 1))
        .map((name) => [name, below(3) ? `same ${n % 5}` : word()])
    )
  const said = Array.from({ length: 600 }, (_, n) => fields(n))
  const asked = Array.from({ length: 600 }, (_, n) => fields(n + 3))
  const heard: Record<string, unknown>[] = []
  const server = createServer()
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const n = Number(headers[':path']!.slice(1))
    heard[n] = headers
    stream.respond({ ':status': 200, ...said[n] })
    stream.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answers: Record<string, string>[] = []
  const load = closed({ connections: 3, pipelining: 20, iterations: 600 })
  const iteration = async ({ n, send }: Session) => {
    answers[n] = (await send({ url: `${url}/${n}`, headers: asked[n] })).headers
  }
  const { results } = await ask(iteration, load, { transport: 'http2' })
  expect(results).toEqual({ 200: 600 })
  for (let n = 0; n < 600; n++) {
    const { date, ...rest } = answers[n]!
    expect(rest).toEqual(said[n])
    // Node joins repeated names, makes a list of cookies to be set, and reads no latin1.
    const own = Object.fromEntries(
      Object.keys(asked[n]!).map((name) => [name, [heard[n]![name]].flat()[0]])
    )
    expect(own).toEqual(asked[n])
  }
})
