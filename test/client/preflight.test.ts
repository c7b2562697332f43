import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { preflight } from '../../src/client/preflight.ts'
import { nowhere, say } from './servers.ts'

function check(url: string) {
  const client = createClient({ endpoint: { url } })
  onTestFinished(() => client.close())
  return preflight(client)
}

test.each([200, 301, 404, 421, 500])('HTTP %i is an answer', async (status) => {
  const url = await say(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
  expect(await check(url)).toEqual({ up: true })
})

const outages = [407, 408, 425, 429, 502, 503, 504, 511, 520, 530]

test.each(outages)('HTTP %i is an outage', async (status) => {
  const url = await say(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
  expect(await check(url)).toEqual({ up: false, because: `HTTP ${status}` })
})

test('nobody there', async () => {
  const url = await nowhere()
  const because = `connection refused at ${new URL(url).host}`
  expect(await check(url)).toEqual({ up: false, because })
})

test('somebody who does not speak HTTP, or not to the end', async () => {
  expect(await check(await say('220 smtp ready\r\n'))).toMatchObject({
    up: false,
    because: expect.stringContaining('not HTTP')
  })
  expect(await check(await say('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'))).toMatchObject({
    up: false,
    because: expect.stringContaining('closed after 0 of 9')
  })
})
