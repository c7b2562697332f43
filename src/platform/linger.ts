import type { Socket } from 'node:net'

/** How much is still read from a connection after its last answer. */
const patience = { bytes: 1_024 ** 3, seconds: 30 }

/**
 * Makes a connection close without cutting off its last answer.
 *
 * A server that closes while its client is still sending makes the network drop the answer with the
 * connection. So the sending side is closed first, and what the client still sends is read and
 * forgotten until it stops: for a second of silence at most, and within the patience above.
 */
export function linger(socket: Socket) {
  socket.destroySoon = () => {
    if (socket.writableEnded) return
    socket.end()
    const from = socket.bytesRead
    let seen = from
    let seconds = 0
    const watch = setInterval(() => {
      const isSilent = socket.bytesRead === seen
      seen = socket.bytesRead
      seconds += 1
      if (isSilent || seen - from > patience.bytes || seconds >= patience.seconds) socket.destroy()
    }, 1_000)
    watch.unref()
    socket.once('close', () => clearInterval(watch))
  }
}
