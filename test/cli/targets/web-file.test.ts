import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Failure } from '../../../src/cli/failure.ts'
import { readWeb } from '../../../src/cli/targets/web-file.ts'

const authorisation = 'plimsoll.authorisation.json'

test('a URL that sends a byte now and then is given up', async () => {
  let sent = 0
  const server = createServer((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' ') && sent++, 10)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.yaml`
  try {
    const told = await readWeb(url, { authorisation, deadlineMs: 200 }).catch((cause) => cause)
    expect(told).toBeInstanceOf(Failure)
    expect(told.message).toBe(`${url} is not read within 0.2 s: name a file instead`)
    expect(sent).toBeGreaterThan(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
