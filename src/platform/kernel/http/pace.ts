import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Received } from './message.ts'

/** How much of a body has to come in how long; what is over within one span is never too slow. */
export type Pace = { spanMs: number; bytes: number }

/**
 * One KiB a second, taken over half a minute. There is no limit on the whole: a body of 540 MB may
 * take as long as it takes, as long as it keeps coming.
 */
export const usualPace: Pace = { spanMs: 30_000, bytes: 30 * 1_024 }

/**
 * Tells at the end of each span whether a sender was too slow in it: fewer bytes than the pace asks
 * for, and not because the reader makes it wait.
 */
export function paced({ bytes: least }: Pick<Pace, 'bytes'>, first: number) {
  let seen = first
  return ({ bytes, isHeld }: { bytes: number; isHeld: boolean }): boolean => {
    const came = bytes - seen
    seen = bytes
    return came < least && !isHeld
  }
}

/** Watches a request's body until there is no more of it; tells when it comes too slowly. */
export function watchBody(message: IncomingMessage, pace: Pace, onSlow: () => void) {
  const { socket } = message
  watchBytes(message, { pace, bytes: () => socket.bytesRead, onSlow })
}

/** The same for a body whose bytes are counted elsewhere. */
export function watchBytes(
  message: Received,
  { pace, bytes, onSlow }: { pace: Pace; bytes: () => number; onSlow: () => void }
) {
  if (message.complete) return
  const isSlow = paced(pace, bytes())
  const judge = () => {
    if (message.complete || message.closed) return clearInterval(watch)
    if (!isSlow({ bytes: bytes(), isHeld: isHeld(message) })) return
    clearInterval(watch)
    onSlow()
  }
  // A process that was held up itself reads first what has come meanwhile.
  const watch = setInterval(() => setImmediate(judge), pace.spanMs)
  watch.unref()
  message.once('close', () => clearInterval(watch))
}

/** Whether as much of a body lies here unread as Node takes before it stops reading. */
function isHeld({ readableLength, readableHighWaterMark }: Received): boolean {
  return readableLength >= readableHighWaterMark
}

/**
 * Ends connections on which nothing goes either way for so long: those that ask for nothing, and
 * those that do not take their answer. One whose answer is being made waits with good reason.
 */
export function endIdle(socket: Socket, idleMs: number, isServing: boolean) {
  if (isServing && socket.writableLength === 0) socket.setTimeout(idleMs)
  else socket.destroy()
}

/**
 * Ends a connection that asks for nothing for so long, whatever else it sends: blank lines between
 * requests are neither silence nor a head. To be told whenever a request begins or was answered.
 */
export function endQuiet(socket: Socket, quietMs: number, isServing: () => boolean): () => void {
  const look = setTimeout(() => {
    if (isServing()) look.refresh()
    else socket.destroy()
  }, quietMs).unref()
  socket.once('close', () => clearTimeout(look))
  return () => void look.refresh()
}
