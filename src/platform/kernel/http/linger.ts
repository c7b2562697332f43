import type { Socket } from 'node:net'

/** How long, and how much, a connection is still read from after its last answer. */
const timeouts = { silentMs: 5_000, ms: 30_000, bytes: 1_024 ** 3 }

/**
 * Makes a connection close without cutting off its last answer.
 *
 * A server that closes while its client is still sending makes the network drop the answer with the
 * connection. So only the sending side is closed, and what the client still sends is read and
 * forgotten, until it stops or patience ends.
 */
export function linger(socket: Socket) {
  socket.destroySoon = () => {
    if (socket.writableEnded) return
    socket.end()
    const first = socket.bytesRead
    let seen = first
    let waitedMs = 0
    const watch = setInterval(() => {
      const isSilent = socket.bytesRead === seen
      seen = socket.bytesRead
      waitedMs += timeouts.silentMs
      if (isSilent || waitedMs >= timeouts.ms || seen - first > timeouts.bytes) socket.destroy()
    }, timeouts.silentMs)
    watch.unref()
    socket.once('close', () => clearInterval(watch))
  }
}
