import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The echo a target offers on each zone, as any team would write it; resolves to its port. */
export async function startEcho(): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer({ maxHeaderSize: 4 * 1_048_576 }, async (request, response) => {
    const digest = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of request) {
        bytes += chunk.length
        digest.update(chunk)
      }
    } catch {
      // The server in front cut the request off half-way, as it does with one that is too large.
      return response.destroy()
    }
    const { method, url = '', rawHeaders } = request
    const headers = { count: rawHeaders.length / 2, bytes: Buffer.byteLength(rawHeaders.join('')) }
    const sha256 = digest.digest('hex')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, urlBytes: url.length, headers, bytes, sha256 }))
  })
  server.maxHeadersCount = 0
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
