import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createEgress } from '../../../src/platform/kernel/egress/egress.ts'
import { parseDestination } from '../../../src/platform/logpush/destination.ts'
import { openTransport } from '../../../src/platform/logpush/transport.ts'
import { sink } from '../../../src/servers/sink.ts'
import { bucketService } from './bucket.ts'

const folder = mkdtempSync(join(tmpdir(), 'transport-'))
afterAll(() => rmSync(folder, { recursive: true }))

const lines = '{"a":1}\n{"a":2}\n'
const upload = { name: 'abc-1-2', content: gzipSync(lines), day: '20240108' }
const signal = new AbortController().signal

const outlets = { egress: createEgress({ allowed: ['127.0.0.1:*'] }), files: folder }

/** Carries the upload to a destination, with so long for it. */
async function carried(destination: string, { deliveryMs = 30_000, stop = signal } = {}) {
  const { transport, close } = openTransport({ deliveryMs }, outlets)
  try {
    await transport(parseDestination(destination), upload, stop)
  } finally {
    await close()
  }
}

async function server(listener: RequestListener): Promise<string> {
  const web = createServer(listener).listen(0, '127.0.0.1')
  await once(web, 'listening')
  onTestFinished(() => {
    web.close()
    web.closeAllConnections()
  })
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}`
}

test('a web destination gets a batch with its name and the headers it asked for', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  await carried(`${inbox.url}?header_Authorization=Bearer%20x`).catch(() => {})
  await carried(inbox.url)
  expect(inbox.records()).toEqual([{ a: 1 }, { a: 2 }])
  expect(inbox.batches[0]).toMatchObject({
    faults: [],
    headers: { 'x-logpush-batch': 'abc-1-2', 'content-encoding': 'gzip' }
  })
  let seen: unknown
  const url = await server(({ headers, url }, response) => {
    seen = [headers.authorization, url]
    response.end()
  })
  await carried(`${url}/in?tag=b&header_Authorization=Bearer%20x`)
  expect(seen).toEqual(['Bearer x', '/in?tag=b'])
})

test.each([301, 400, 429, 500, 503])('status %d is no arrival', async (status) => {
  const url = await server((_request, response) => response.writeHead(status).end('no'))
  await expect(carried(url)).rejects.toThrow(`HTTP ${status}`)
})

test('a destination that is down, resets or says nothing is a failure with a reason', async () => {
  const gone = await server(() => {})
  await expect(carried(gone, { deliveryMs: 50 })).rejects.toThrow('no answer within 50 ms')
  const resetting = await server(({ socket }) => socket.resetAndDestroy())
  await expect(carried(resetting)).rejects.toThrow(/ECONNRESET|other side closed/)
  const cutting = await server((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('1')
    response.destroy()
  })
  await expect(carried(cutting)).rejects.toThrow()
  await expect(carried('http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED')
})

test('carrying can be stopped', async () => {
  const url = await server(() => {})
  const stop = new AbortController()
  const carrying = carried(url, { stop: stop.signal })
  stop.abort()
  await expect(carrying).rejects.toThrow()
})

test('a folder gets a file for each batch, whole or not at all', async () => {
  await carried(`file://${folder}/logs-{DATE}`)
  await carried(`file://${folder}/logs-{DATE}`)
  const place = join(folder, 'logs-20240108')
  expect(readdirSync(place)).toEqual(['abc-1-2.log.gz'])
  expect(gunzipSync(readFileSync(join(place, 'abc-1-2.log.gz'))).toString()).toBe(lines)
})

test('folders are those below the one that was named, and what is none is a failure', async () => {
  writeFileSync(join(folder, 'plain'), '')
  await expect(carried(`file://${folder}/plain`)).rejects.toThrow('ENOTDIR')
  await expect(carried(`file://${folder}/a/b`)).rejects.toThrow('ENOENT')
  await expect(carried('file:///dev')).rejects.toThrow('--log-files')
  const none = openTransport({ deliveryMs: 30_000 }, { egress: createEgress() })
  onTestFinished(none.close)
  const sent = none.transport(parseDestination(`file://${folder}/b`), upload, signal)
  await expect(sent).rejects.toThrow('--log-files DIR')
  expect(existsSync(join(folder, 'b'))).toBe(false)
})

test('a bucket gets an object for each batch, properly signed', async () => {
  const service = await bucketService({ key: 'secret/+' })
  onTestFinished(service.close)
  const at = (secret: string) =>
    `s3://logs/of a zone/{DATE}?region=eu-west-1&sse=AES256&endpoint=${service.url}` +
    `&access-key-id=key&secret-access-key=${encodeURIComponent(secret)}`
  await carried(at('secret/+'))
  expect(service.puts[0]).toMatchObject({
    method: 'PUT',
    path: '/logs/of%20a%20zone/20240108/abc-1-2.log.gz',
    content: upload.content,
    fault: undefined,
    headers: { 'content-encoding': 'gzip', 'x-amz-server-side-encryption': 'AES256' }
  })
  await expect(carried(at('another'))).rejects.toThrow('HTTP 403')
  expect(service.puts[1]!.fault).toBe('another signature')
  await expect(carried(`s3://logs?region=a&endpoint=${service.url}`)).rejects.toThrow('HTTP 403')
  expect(service.puts[2]).toMatchObject({ path: '/logs/abc-1-2.log.gz', fault: 'not signed' })
})
