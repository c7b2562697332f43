import type { Socket } from 'node:net'
import {
  flags,
  frame,
  frames,
  preface,
  type settings,
  settingsFrame
} from '../../../src/load/http2/frame.ts'
import { createFrameReader, readFrames } from '../../../src/load/http2/frame-reader.ts'
import { encodeFields } from '../../../src/load/http2/header-encoder.ts'
import { type Listening, listen } from '../server.ts'

/** One connection of a server that speaks HTTP/2 by hand. */
export type Peer = {
  socket: Socket
  /** Says these frames, all at once. */
  say(...bytes: Buffer[]): void
}

/** What such a server does with a frame, and how it greets. */
export type PeerBehaviour = {
  /** Default: SETTINGS that say nothing. */
  greeting?: Partial<Record<keyof typeof settings, number>> | Buffer
  /** A request has come as a whole, by its last frame. */
  onRequest?: (peer: Peer, id: number) => void
  /** Any frame has come. */
  onFrame?: (peer: Peer, type: number, id: number) => void
  secure?: boolean
}

/** A response of one frame, or two where it has a body. */
export function response(id: number, status: number, body = ''): Buffer {
  const { endHeaders, endStream } = flags
  const end = body === '' ? endStream : 0
  const head = frame(frames.headers, id, encodeFields([[':status', `${status}`]]), endHeaders | end)
  return end ? head : Buffer.concat([head, frame(frames.data, id, Buffer.from(body), endStream)])
}

/** Starts a server that speaks HTTP/2 by hand, so that it can say what no library would. */
export function listenHttp2(behaviour: PeerBehaviour): Promise<Listening> {
  const { greeting = {}, onRequest, onFrame, secure = false } = behaviour
  const readers = new WeakMap<Socket, (bytes: Buffer) => void>()
  const open = (socket: Socket) => {
    const peer: Peer = { socket, say: (...bytes) => void socket.write(Buffer.concat(bytes)) }
    const reader = createFrameReader()
    let missing = preface.length
    peer.say(Buffer.isBuffer(greeting) ? greeting : settingsFrame(greeting))
    readers.set(socket, (bytes) => {
      const rest = bytes.subarray(Math.min(missing, bytes.length))
      missing -= bytes.length - rest.length
      readFrames(reader, rest, rest.length, ({ type, flag, id }) => {
        onFrame?.(peer, type, id)
        if (type <= frames.headers && flag & flags.endStream) onRequest?.(peer, id)
        return true
      })
    })
  }
  const behave = (socket: Socket, chunk: string) =>
    readers.get(socket)!(Buffer.from(chunk, 'latin1'))
  return listen(behave, { secure, greet: open })
}
