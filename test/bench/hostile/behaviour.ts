import type { Socket } from 'node:net'

/**
 * What a client that is not fooled can make of a behaviour: `nothing` that is an HTTP answer, whole
 * answers of 200 `ok`, whole answers of something `other`, or `either` of these and nothing, since
 * the standard leaves it to the client or the behaviour changes.
 */
export type Worth = 'nothing' | 'ok' | 'other' | 'either'

/** One way in which a server may behave that no client asked for. */
export type Behaviour = {
  name: string
  worth: Worth
  /** What it does with a connection; the bytes of a request are not read unless it does. */
  serve: (socket: Socket) => void
}

/** A whole answer with a body, and more header lines. */
export function answer(body = 'ok', lines: readonly string[] = [], status = '200 OK'): string {
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...lines]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const endOfHead = Buffer.from('\r\n\r\n')

/** Calls `act` once for each head of a request that comes, whatever body is between them. */
export function onRequests(socket: Socket, act: () => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes as Buffer])
    for (let at = rest.indexOf(endOfHead); at >= 0; at = rest.indexOf(endOfHead)) {
      rest = rest.subarray(at + endOfHead.length)
      if (!socket.destroyed) act()
    }
    rest = rest.subarray(-3)
  })
}

/** Says the same to each request. */
export const says =
  (bytes: string | Buffer) =>
  (socket: Socket): void =>
    onRequests(socket, () => void socket.write(bytes))

/** Says something to the first request, and closes. */
export const saysAndCloses =
  (bytes: string | Buffer) =>
  (socket: Socket): void =>
    onRequests(socket, () => void socket.end(bytes))

/** Begins, and then writes the same for ever, as fast as it is taken. */
export const floods =
  (begin: string, forever: string | Buffer) =>
  (socket: Socket): void => {
    const chunk = Buffer.from(forever)
    const block = Buffer.concat(Array(Math.ceil(65_536 / chunk.length)).fill(chunk))
    const pour = () => {
      while (!socket.destroyed && socket.write(block));
    }
    let isPouring = false
    onRequests(socket, () => {
      if (isPouring) return
      isPouring = true
      socket.write(begin)
      socket.on('drain', pour)
      pour()
    })
  }

/** Begins, and then writes a byte a second. */
export const drips =
  (begin: string, bytes: string) =>
  (socket: Socket): void => {
    let at = 0
    onRequests(socket, () => {
      if (at > 0) return
      socket.write(begin)
      const drop = setInterval(() => {
        if (socket.destroyed || at >= bytes.length) clearInterval(drop)
        else socket.write(bytes[at++]!)
      }, 1_000)
    })
  }
