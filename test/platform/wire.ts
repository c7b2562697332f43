import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came back over one connection. */
export type Heard = {
  /** Status of each response, in order, interim ones too; empty when nothing came. */
  statuses: number[]
  /** Body of the last response. */
  body: string
  /** Everything, as it came; one character is one byte. */
  text: string
  /** Code of the error the connection ended with. */
  error?: string
}

/** A head with the lines given, ready to be sent. */
export function head(requestLine: string, ...lines: string[]): string {
  return [`${requestLine} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/**
 * Sends bytes over a connection of its own and listens until it ends, or until what came matches.
 * Everything is sent however early the answer comes, as a client does that does not look.
 */
export async function talk(
  url: string,
  parts: Iterable<string | Buffer>,
  until?: RegExp
): Promise<Heard> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let error: string | undefined
  socket.on('error', (cause: NodeJS.ErrnoException) => {
    error = cause.code
  })
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (until?.test(text)) socket.destroy()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await sendAll(socket, parts)
  await closed
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  return { statuses, body: text.slice(text.lastIndexOf('\r\n\r\n') + 4), text, error }
}

async function sendAll(socket: Socket, parts: Iterable<string | Buffer>) {
  for (const part of parts) {
    if (socket.destroyed) return
    const isFlowing = socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
    if (isFlowing) continue
    const stop = new AbortController()
    const { signal } = stop
    await Promise.race([
      once(socket, 'drain', { signal }),
      once(socket, 'close', { signal })
    ]).catch(() => {})
    stop.abort()
  }
}

/** A body of this many bytes in pieces of at most one mebibyte, all of them the same. */
export function* bytes(count: number): Generator<Buffer> {
  const piece = Buffer.alloc(1_048_576, 'plimsoll ')
  for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left)
}

/** The same body in the chunked coding. */
export function* chunks(count: number): Generator<string | Buffer> {
  for (const piece of bytes(count)) {
    yield `${piece.length.toString(16)}\r\n`
    yield piece
    yield '\r\n'
  }
  yield '0\r\n\r\n'
}
