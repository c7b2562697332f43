import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync
} from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { decoded } from '../../src/client/coding.ts'
import { serve } from './servers.ts'

const text = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => `Zoë ${n * n}`))
const most = 1_000_000

const coded: [codings: string, bytes: Buffer][] = [
  ['', Buffer.from(text)],
  ['identity', Buffer.from(text)],
  ['gzip', gzipSync(text)],
  ['X-GZip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))]
]

describe('what came in a content coding', () => {
  test.each(coded)('%s is read', (codings, bytes) => {
    expect(decoded(bytes, codings, most).toString()).toBe(text)
  })

  test('stays as it came where it is not what it is said to be, or in no known coding', () => {
    for (const codings of ['gzip', 'br', 'deflate', 'zstd', 'compress'])
      expect(decoded(Buffer.from('plain'), codings, most).toString()).toBe('plain')
  })

  test('is read as far as it goes where it was cut off', () => {
    for (const [codings, bytes] of coded.slice(2, 7)) {
      const read = decoded(bytes.subarray(0, bytes.length - 12), codings, most).toString()
      expect([codings, text.startsWith(read.slice(0, -1)), read.length > 0]).toEqual([
        codings,
        true,
        true
      ])
    }
  })

  test('stays as it came where there is too much of it', () => {
    const bomb = gzipSync(Buffer.alloc(most))
    expect(decoded(bomb, 'gzip', 1_000)).toEqual(bomb)
  })
})

test('a client reads what is coded unasked, and counts bytes as they came', async () => {
  const url = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
  )
  const client = createClient({ endpoint: { url } })
  const replies = [await client.get('/'), await client.send({ method: 'GET', path: '/' })]
  await client.close()
  for (const { json, received } of replies) {
    expect(json).toEqual(JSON.parse(text))
    expect(received).toBe(gzipSync(text).length)
  }
})
