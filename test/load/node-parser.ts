import { type ClientRequest, request } from 'node:http'
import { Duplex } from 'node:stream'

/**
 * How Node's own HTTP client understands a response that is followed by the end of the connection.
 */
export type Understood = { status: number; body: string } | 'refused'

/** Has Node's client read a response; nothing leaves the process. */
export function readWithNode(response: string, method: 'GET' | 'HEAD'): Promise<Understood> {
  return new Promise((resolve) => {
    const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const client: ClientRequest = request({
      method,
      createConnection: () => connection,
      // Sizes are this parser's own business; what matters here is where a response ends.
      maxHeaderSize: 1_000_000,
      // It reads folded lines, as it has to (RFC 9112, section 5.2), only where it is lenient.
      insecureHTTPParser: /\r\n[ \t]/.test(response)
    })
    const refuse = () => {
      resolve('refused')
      connection.destroy()
    }
    client.on('error', refuse)
    client.on('upgrade', refuse)
    client.on('response', (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('error', refuse)
      message.on('aborted', refuse)
      message.on('end', () => {
        if (!message.complete) return refuse()
        resolve({
          status: message.statusCode!,
          body: Buffer.concat(chunks).toString('latin1')
        })
        connection.destroy()
      })
    })
    client.end()
    setImmediate(() => {
      connection.push(Buffer.from(response, 'latin1'))
      connection.push(null)
    })
  })
}
