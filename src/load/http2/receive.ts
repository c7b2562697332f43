import {
  errorName,
  flags,
  frame,
  frameNames,
  frames,
  maxPayload,
  maxWindow,
  readUint32,
  settings
} from './frame.ts'
import { type Frame, readFrames } from './frame-reader.ts'
import { append } from './output.ts'
import { fail, isLate, malformed, refuse } from './refusal.ts'
import { takeContinuation, takeData, takeHeaders } from './responses.ts'
import { pump } from './sending.ts'
import { close, type Http2Session, streamOf } from './session.ts'

/**
 * Frames that bring nothing, in a row or with answers among them; who sends more in a second is up
 * to no good.
 */
const mostIdle = 10_000

/** Frames that let a body go on, or end a stream: however many there are, they are of use. */
const areOfUse: readonly number[] = [frames.windowUpdate, frames.resetStream]

/** Takes in the first `size` bytes; false once the session has failed, which it then says. */
export function receive<Work>(session: Http2Session<Work>, bytes: Buffer, size: number): boolean {
  const { reader } = session
  if (readFrames(reader, bytes, size, (given) => takeFrame(session, given))) return true
  if (session.failure === undefined) fail(session, 'FRAME_SIZE_ERROR', 'a frame that is too large')
  return false
}

function takeFrame<Work>(session: Http2Session<Work>, given: Frame): boolean {
  // What the events of the one before did may have ended it.
  if (session.failure !== undefined) return false
  const { type } = given
  if (!session.isReady && (type !== frames.settings || given.flag & flags.ack)) {
    return malformed(session, 'something before its SETTINGS')
  }
  if (session.blockId !== 0 && type !== frames.continuation) {
    return malformed(session, 'another frame among those of a header block')
  }
  if (!areOfUse.includes(type)) session.surplusFrames++
  if (++session.idleFrames > mostIdle || session.surplusFrames > mostIdle) {
    const because = `a flood of ${frameNames[type] ?? 'unknown'} frames`
    return fail(session, 'ENHANCE_YOUR_CALM', because)
  }
  switch (type) {
    case frames.data:
      return takeData(session, given)
    case frames.headers:
      return takeHeaders(session, given)
    case frames.continuation:
      return takeContinuation(session, given)
    case frames.settings:
      return takeSettings(session, given)
    case frames.windowUpdate:
      return takeWindowUpdate(session, given)
    case frames.resetStream:
      return takeReset(session, given)
    case frames.goAway:
      return takeGoAway(session, given)
    case frames.ping:
      return takePing(session, given)
    case frames.pushPromise:
      return malformed(session, 'a push, which nobody allowed')
    case frames.priority:
      return given.id === 0 ? malformed(session, 'a PRIORITY of no stream') : true
    default:
      return true
  }
}

function takeSettings<Work>(session: Http2Session<Work>, given: Frame): boolean {
  const { id, flag, bytes, at, end } = given
  const size = end - at
  if (id !== 0) return malformed(session, 'SETTINGS of a stream')
  if (flag & flags.ack) return size === 0 || malformed(session, 'SETTINGS of a wrong size')
  if (size % 6 !== 0) return fail(session, 'FRAME_SIZE_ERROR', 'SETTINGS of a wrong size')
  for (let one = at; one < end; one += 6) {
    const name = (bytes[one]! << 8) | bytes[one + 1]!
    if (!takeSetting(session, name, readUint32(bytes, one + 2))) return false
  }
  append(session.output, frame(frames.settings, 0, Buffer.alloc(0), flags.ack))
  session.answers++
  pump(session)
  if (session.isReady) session.events.onRoom()
  else {
    session.isReady = true
    session.events.onReady()
  }
  return true
}

function takeSetting<Work>(session: Http2Session<Work>, name: number, value: number): boolean {
  switch (name) {
    case settings.enablePush:
      return value === 0 || malformed(session, 'a server that asks to be pushed to')
    case settings.maxConcurrentStreams:
      session.peerStreams = value
      return true
    case settings.initialWindowSize:
      return takeWindow(session, value)
    case settings.maxFrameSize:
      if (value < maxPayload || value >= 2 ** 24)
        return malformed(session, 'a frame size that is none')
      // Larger frames than the usual would only make others wait.
      return true
    default:
      return true
  }
}

function takeWindow<Work>(session: Http2Session<Work>, size: number): boolean {
  if (size > maxWindow) return fail(session, 'FLOW_CONTROL_ERROR', 'a window that is too wide')
  const more = size - session.peerWindow
  session.peerWindow = size
  for (const stream of session.streams) {
    if (stream.id === 0) continue
    stream.window += more
    if (stream.window > maxWindow) {
      return fail(session, 'FLOW_CONTROL_ERROR', 'a window that is too wide')
    }
  }
  return true
}

function takeWindowUpdate<Work>(session: Http2Session<Work>, given: Frame): boolean {
  const { id, bytes, at, end } = given
  if (end - at !== 4) return fail(session, 'FRAME_SIZE_ERROR', 'a WINDOW_UPDATE of a wrong size')
  const more = readUint32(bytes, at) & maxWindow
  if (id === 0) {
    if (more === 0) return malformed(session, 'a WINDOW_UPDATE by nothing')
    session.window += more
    if (session.window > maxWindow) {
      return fail(session, 'FLOW_CONTROL_ERROR', 'a window that is too wide')
    }
    pump(session)
    return true
  }
  const stream = streamOf(session, id)
  // It may have been on its way while the stream ended.
  if (stream === undefined) return id % 2 === 1 && id < session.nextId ? true : isLate(session, id)
  if (more === 0) return refuse(session, stream, 'a WINDOW_UPDATE by nothing')
  stream.window += more
  if (stream.window > maxWindow) return refuse(session, stream, 'a window that is too wide')
  pump(session)
  return true
}

function takeReset<Work>(session: Http2Session<Work>, { id, bytes, at, end }: Frame): boolean {
  if (end - at !== 4) return fail(session, 'FRAME_SIZE_ERROR', 'a RST_STREAM of a wrong size')
  if (id % 2 === 0 || id >= session.nextId) return malformed(session, 'a RST_STREAM of no stream')
  const stream = streamOf(session, id)
  if (stream === undefined) return true
  session.active--
  session.events.onReset(stream, errorName(readUint32(bytes, at)))
  close(stream)
  return true
}

function takeGoAway<Work>(session: Http2Session<Work>, { id, bytes, at, end }: Frame): boolean {
  if (id !== 0) return malformed(session, 'a GOAWAY of a stream')
  if (end - at < 8) return fail(session, 'FRAME_SIZE_ERROR', 'a GOAWAY of a wrong size')
  const last = readUint32(bytes, at) & maxWindow
  // What it gave back may be on its way elsewhere already (RFC 9113, section 6.8).
  if (last > session.lastServed) return malformed(session, 'a GOAWAY that takes streams back')
  session.lastServed = last
  session.isDraining = true
  session.events.onGoAway(errorName(readUint32(bytes, at + 4)))
  // The youngest first, so that they can be put back in front of each other.
  const vain = session.streams.filter((stream) => stream.id > last)
  for (const stream of vain.sort((one, other) => other.id - one.id)) {
    session.active--
    session.events.onUnsent(stream)
    close(stream)
  }
  session.events.onRoom()
  return true
}

function takePing(session: Http2Session<any>, { id, flag, bytes, at, end }: Frame): boolean {
  if (id !== 0) return malformed(session, 'a PING of a stream')
  if (end - at !== 8) return fail(session, 'FRAME_SIZE_ERROR', 'a PING of a wrong size')
  if (!(flag & flags.ack)) {
    append(session.output, frame(frames.ping, 0, bytes.subarray(at, end), flags.ack))
    session.answers++
  }
  return true
}
