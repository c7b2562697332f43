import type { Socket } from 'node:net'
import { setImmediate as loopTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { payload } from './payload.ts'
import { asksLeave, type BodyFraming, type RawRequest } from './raw-request.ts'
import type { ReplyPhase } from './reply.ts'
import type { IncomingResponse } from './response.ts'

const partBytes = 262_144
const pacedPartBytes = 16_384
const paceMs = 1
const invitationMs = 1_000
/** Long enough for a piece of a head to be read by itself. */
const pieceMs = 20
const nothing: NonNullable<RawRequest['body']> = { bytes: 0, framing: 'length' }

/** The sending of a request, which ends early when the answer makes the rest of it pointless. */
export type Upload = {
  /** Sends the head and then the body; resolves when nothing more will be sent. */
  run: (head: Buffer) => Promise<void>
  /** To be called whenever something has been added to the response. */
  heard: () => void
  stop: () => void
  /** Bytes of body handed to the connection so far, and what has been sent of the whole. */
  progress: () => { sent: number; phase: ReplyPhase }
  /** What else there is to say of an answer: that leave to send was asked for, and never given. */
  remark: () => string
}

/**
 * Prepares the upload of `body`. From `paceFrom` on it is sent slowly, so that a refusal is read
 * before anything is written to a connection that the other side has closed: such a write destroys
 * the connection, and with it an answer that had arrived but was not yet read.
 */
export function createUpload(options: {
  socket: Socket
  body: RawRequest['body']
  response: IncomingResponse
  paceFrom: number
  beforeLastByte: RawRequest['beforeLastByte']
  headPieces?: RawRequest['headPieces']
  clock: Clock
}): Upload {
  const { socket, response, paceFrom, beforeLastByte, headPieces = [], clock } = options
  const { bytes, framing, fill } = { ...nothing, ...options.body }
  const partOf =
    fill === undefined ? payload : (_: number, count: number) => Buffer.alloc(count, fill)
  const invitation = new AbortController()
  let sent = 0
  let phase: ReplyPhase = 'headers'
  let isStopped = false
  let isUninvited = false

  const sendHead = async (whole: Buffer) => {
    let head = whole
    for (const piece of headPieces) {
      socket.write(head.subarray(0, piece))
      head = head.subarray(piece)
      await clock.until(clock.now() + pieceMs)
      if (isStopped) return
    }
    if (bytes > 0 || beforeLastByte === undefined) return void socket.write(head)
    socket.write(head.subarray(0, -1))
    await beforeLastByte()
    if (!isStopped) socket.write(head.subarray(-1))
  }
  const sendParts = async () => {
    while (sent < bytes) {
      const isPaced = sent >= paceFrom || response.progress() === 'head'
      // Without a turn of the event loop between two parts no answer could be read between them.
      await (isPaced ? clock.until(clock.now() + paceMs) : loopTurn())
      if (isStopped || response.head().status >= 300) return
      if (response.progress() === 'head') continue
      const most = isPaced ? pacedPartBytes : Math.min(partBytes, paceFrom - sent)
      phase = 'body'
      if (sent === bytes - 1) await beforeLastByte?.()
      if (isStopped) return
      const left = beforeLastByte && sent < bytes - 1 ? bytes - 1 - sent : bytes - sent
      const part = partOf(sent, Math.min(most, left))
      if (await write(socket, part, framing)) sent += part.length
    }
    if (framing === 'chunked') socket.write('0\r\n\r\n')
    phase = 'end'
  }

  return {
    async run(head) {
      await sendHead(head)
      if (asksLeave(options.body)) {
        await clock.until(clock.now() + invitationMs, invitation.signal)
        if (isStopped || response.head().status > 0) return
        isUninvited = !response.isInvited()
      }
      await sendParts()
    },
    heard() {
      if (response.isInvited() || response.head().status > 0) invitation.abort()
    },
    stop() {
      isStopped = true
      invitation.abort()
    },
    progress: () => ({ sent, phase }),
    remark: () => (isUninvited ? `, without a 100 Continue within ${invitationMs} ms` : '')
  }
}

/** Writes a part of a body; resolves to whether it was handed to the connection. */
function write(socket: Socket, part: Buffer, framing: BodyFraming): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (failure?: Error | null) => resolve(!failure)
    if (framing !== 'chunked') return socket.write(part, done)
    socket.cork()
    socket.write(`${part.length.toString(16)}\r\n`)
    socket.write(part)
    socket.write('\r\n', done)
    socket.uncork()
  })
}
