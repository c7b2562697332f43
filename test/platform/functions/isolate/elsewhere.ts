import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that functions fetch from, and that counts what they have open with it. */
export async function serve(answer: RequestListener) {
  const server = createServer((request, response) => {
    elsewhere.requests.push(request.url!)
    elsewhere.open++
    elsewhere.mostOpen = Math.max(elsewhere.mostOpen, elsewhere.open)
    response.once('close', () => elsewhere.open--)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const elsewhere = {
    port: (server.address() as AddressInfo).port,
    requests: [] as string[],
    open: 0,
    mostOpen: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
  return elsewhere
}
