import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many requests of a connection may wait before no more is read from it. */
const mostWaiting = 16

type Turn = { response: ServerResponse; serve: () => void }
type Line = { isBusy: boolean; waiting: Turn[] }

const isFull = ({ waiting }: Line): boolean => waiting.length >= mostWaiting

/**
 * Shares the turns of the event loop between connections. A client may send many requests without
 * waiting for answers (pipelining), and Node tells of all that came in one read at once; each of
 * them is served when the one before it was answered, and not before others had their turn. Tells
 * of each connection on which one was answered.
 */
export function shareTurns(onAnswered: (socket: Socket) => void) {
  const lines = new WeakMap<Socket, Line>()

  function lineOf(socket: Socket): Line {
    const known = lines.get(socket)
    if (known) return known
    const line: Line = { isBusy: false, waiting: [] }
    lines.set(socket, line)
    // Node resumes a connection after each answer, whatever else is still to be answered.
    const resume = socket.resume.bind(socket)
    socket.resume = () => (isFull(line) ? socket : resume())
    socket.once('close', () => line.waiting.splice(0))
    return line
  }

  function serve(socket: Socket, line: Line, { response, serve }: Turn) {
    line.isBusy = true
    response.once('close', () => {
      line.isBusy = false
      onAnswered(socket)
      if (line.waiting.length > 0) setImmediate(next, socket, line)
    })
    serve()
  }

  function next(socket: Socket, line: Line) {
    // After the last answer what is still read is forgotten.
    if (socket.destroyed || socket.writableEnded) return void line.waiting.splice(0)
    const turn = line.waiting.shift()
    if (socket.isPaused()) socket.resume()
    if (turn) serve(socket, line, turn)
  }

  return {
    /** Whether a request of the connection is being answered. */
    isServing: (socket: Socket) => lines.get(socket)?.isBusy === true,
    /** Serves a request now, or when it is its turn. */
    take(socket: Socket, turn: Turn) {
      const line = lineOf(socket)
      if (!line.isBusy && line.waiting.length === 0) return serve(socket, line, turn)
      line.waiting.push(turn)
      if (isFull(line)) socket.pause()
    }
  }
}

/**
 * Begins what a connection asks for at once (the streams of HTTP/2) in the order it came, one a
 * turn of the event loop, so that others have theirs in between. Nobody waits for an answer here.
 */
export function spreadTurns(): (serve: () => void) => void {
  const waiting: (() => void)[] = []
  let isAwaited = false
  const next = () => {
    isAwaited = waiting.length > 1
    if (isAwaited) setImmediate(next)
    waiting.shift()!()
  }
  return (serve) => {
    waiting.push(serve)
    if (!isAwaited) setImmediate(next)
    isAwaited = true
  }
}
