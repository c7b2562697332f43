import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that answers with the status that is its path, closes at /close, and has a page. */
export async function startServer() {
  const server = createServer((request, response) => {
    if (request.url === '/close') return void request.socket.destroy()
    if (request.url === '/html') return void response.end('<html>Sign in</html>')
    response.statusCode = Number(request.url!.slice(1)) || 200
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
