import type { Socket } from 'node:net'

/** What a client of HTTP/2 begins a connection with (RFC 9113, section 3.4). */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

/** Who takes a connection, with all that came on it, by what it begins with. */
type Takers = { http1: (socket: Socket) => void; http2: (socket: Socket) => void }

/**
 * Hands a connection to one version of HTTP or the other by its first bytes, as soon as they tell:
 * no request of HTTP/1 begins as HTTP/2 does. One that tells nothing for so long is given to
 * `onSilent`, with whether anything came.
 */
export function splitByPreface(
  socket: Socket,
  { http1, http2, ms, onSilent }: Takers & { ms: number; onSilent: (begun: boolean) => void }
) {
  let first: Buffer = Buffer.alloc(0)
  const ignore = () => {}
  const silent = () => {
    leave()
    onSilent(first.length > 0)
  }
  const patience = setTimeout(silent, ms).unref()
  function leave() {
    clearTimeout(patience)
    socket.off('data', read).off('end', silent).off('close', leave)
  }
  function read(chunk: Buffer) {
    first = Buffer.concat([first, chunk])
    const common = first.subarray(0, preface.length)
    const isAlike = common.equals(preface.subarray(0, common.length))
    if (isAlike && common.length < preface.length) return
    leave()
    socket.pause()
    socket.unshift(first)
    socket.off('error', ignore)
    // Node's HTTP/2 reads what has come already by itself, and only while nothing flows.
    if (isAlike) return http2(socket)
    http1(socket)
    socket.resume()
  }
  socket.on('error', ignore).on('data', read).on('end', silent).on('close', leave)
}
