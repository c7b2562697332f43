import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A server that answers with the status that is its path, closes at /close, and has a page. After
 * so many answers it stands still.
 */
export async function startServer({ answers = Number.POSITIVE_INFINITY } = {}) {
  let asked = 0
  const server = createServer((request, response) => {
    if (++asked > answers) return
    if (request.url === '/close') return void request.socket.destroy()
    if (request.url === '/html') return void response.end('<html>Sign in</html>')
    response.statusCode = Number(request.url!.slice(1)) || 200
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
