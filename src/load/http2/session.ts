import {
  type ErrorName,
  errorCode,
  frame,
  frames,
  headBytes,
  maxPayload,
  maxWindow,
  preface,
  settingsFrame,
  wordsFrame,
  writeUint32
} from './frame.ts'
import { createFrameReader, type FrameReader } from './frame-reader.ts'
import {
  createHeaderDecoder,
  type FieldBlock,
  type HeaderDecoder,
  maxBlockBytes
} from './header-decoder.ts'
import { append, createOutput, type Output, reserve } from './output.ts'

/** One exchange on a connection; its place is used again for others when it is over. */
export type Http2Stream<Work> = {
  /** 0 while nobody has it. */
  id: number
  /** What its owner keeps with it. */
  work: Work
  /** The final response's fields, and those after its body; undefined until they come. */
  head: FieldBlock | undefined
  trailers: FieldBlock | undefined
  /** Bytes of the body that came, and of the frames about this stream, both ways. */
  received: number
  bytesIn: number
  bytesOut: number
  /** Bytes that came and were not yet given back to the peer's window. */
  credit: number
  /** What is still to be sent, and how much of it the peer lets us. */
  unsent: Buffer | undefined
  window: number
  /** Whether the last that is to be sent is in `unsent`; whether our side has ended. */
  isLast: boolean
  hasEnded: boolean
  /** Whether the response has no body whatever its head says. */
  bodiless: boolean
}

/** Whom a session tells; a stream is good until the call returns. */
export type SessionEvents<Work> = {
  /** The peer's first SETTINGS came: streams can be opened. */
  onReady(): void
  /** More, or fewer, streams can be opened than before. */
  onRoom(): void
  /** The final response's head is there; its body comes; both, with trailers, are complete. */
  onHead(stream: Http2Stream<Work>): void
  onData(stream: Http2Stream<Work>, bytes: Buffer, at: number, end: number): void
  onEnd(stream: Http2Stream<Work>): void
  /** The peer ended the stream alone. */
  onReset(stream: Http2Stream<Work>, error: string): void
  /** What came is no response, in words; the stream is reset. */
  onMalformed(stream: Http2Stream<Work>, because: string): void
  /** The peer opens no more streams, and has done nothing for this one. */
  onUnsent(stream: Http2Stream<Work>): void
  /** The peer opens no more streams; those that are open may still be answered. */
  onGoAway(error: string): void
}

/** What ended a whole session: what came is no HTTP/2, or no sane use of it. */
export type SessionFailure = { error: ErrorName; because: string }

/** One HTTP/2 connection from its client's side, without its socket (RFC 9113). */
export type Http2Session<Work> = {
  events: SessionEvents<Work>
  reader: FrameReader
  decoder: HeaderDecoder
  /** What is to be written. */
  output: Output
  /** Places of streams: that of an id is its half, round the ring. */
  streams: Http2Stream<Work>[]
  nextId: number
  active: number
  /** Whether a stream was reset from here, so that something about it may still come. */
  hasReset: boolean
  isReady: boolean
  isDraining: boolean
  /** The last stream that the peer's GOAWAY spoke of; Infinity before it said one. */
  lastServed: number
  /** What the peer lets us do. */
  peerStreams: number
  peerWindow: number
  peerPayload: number
  window: number
  credit: number
  /** Streams that have something to send. */
  senders: Http2Stream<Work>[]
  /** The header block that has begun and not ended: of which stream, and its bytes so far. */
  blockId: number
  blockFlag: number
  block: Buffer
  blockBytes: number
  /** Frames since the last that brought anything, or since the last second began. */
  idleFrames: number
  /** Such frames in this second that those which brought something do not pay for. */
  surplusFrames: number
  /** Acknowledgements that nobody has read yet. */
  answers: number
  /** Whether more is on its way than the socket takes at once: bodies wait. */
  isStuffed: boolean
  failure: SessionFailure | undefined
}

/** Windows that we open: as wide as they can be, since nothing that comes is kept waiting. */
const ourWindow = maxWindow

/** Room for all streams that are open at a time, twice over: few places are met taken. */
function placesFor(streams: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, streams) * 2))
}

/** The largest id of a stream. */
const lastId = 2 ** 31 - 1

/** A session for so many streams at a time, whose greeting is to be written. */
export function createSession<Work>(
  events: SessionEvents<Work>,
  options: { streams: number; emptyWork: () => Work }
): Http2Session<Work> {
  const output = createOutput()
  append(output, preface)
  append(
    output,
    settingsFrame({ enablePush: 0, initialWindowSize: ourWindow, maxHeaderListSize: maxBlockBytes })
  )
  append(output, wordsFrame(frames.windowUpdate, 0, ourWindow - 65_535))
  return {
    events,
    reader: createFrameReader(),
    decoder: createHeaderDecoder(),
    output,
    streams: Array.from({ length: placesFor(options.streams) }, () =>
      emptyStream(options.emptyWork())
    ),
    ...{ nextId: 1, active: 0, hasReset: false, isReady: false, isDraining: false },
    lastServed: Infinity,
    ...{ peerStreams: Infinity, peerWindow: 65_535, peerPayload: maxPayload },
    ...{ window: 65_535, credit: 0, senders: [] },
    ...{ blockId: 0, blockFlag: 0, block: Buffer.alloc(0), blockBytes: 0 },
    ...{ idleFrames: 0, surplusFrames: 0, answers: 0, isStuffed: false, failure: undefined }
  }
}

function emptyStream<Work>(work: Work): Http2Stream<Work> {
  return {
    ...{ id: 0, work, head: undefined, trailers: undefined },
    ...{ received: 0, bytesIn: 0, bytesOut: 0, credit: 0 },
    ...{ unsent: undefined, window: 0, isLast: false, hasEnded: false, bodiless: false }
  }
}

/** How many streams can be opened now. */
export function roomIn({
  isReady,
  isDraining,
  peerStreams,
  active
}: Http2Session<unknown>): number {
  return isReady && !isDraining ? Math.max(0, peerStreams - active) : 0
}

/** What opens a stream. */
export type StreamStart = {
  /** Its HEADERS and CONTINUATION frames, written for no stream. */
  head: Buffer
  /** Whether they say that this was all. */
  isLast: boolean
  /** Whether the response has no body whatever its head says. */
  bodiless: boolean
}

/**
 * Opens a stream, for which there has to be room, and a place; more is sent by `sendData`.
 */
export function openStream<Work>(
  session: Http2Session<Work>,
  { head, isLast, bodiless }: StreamStart
): Http2Stream<Work> {
  const stream = freePlace(session)
  const { nextId, output } = session
  stream.id = nextId
  session.nextId += 2
  // Beyond the last id there is no other, and the peer would have to say GOAWAY.
  if (session.nextId > lastId) session.isDraining = true
  session.active++
  stream.head = undefined
  stream.trailers = undefined
  stream.received = 0
  stream.bytesIn = 0
  stream.bytesOut = head.length
  stream.credit = 0
  stream.unsent = undefined
  stream.window = session.peerWindow
  stream.isLast = isLast
  stream.hasEnded = isLast
  stream.bodiless = bodiless
  const at = reserve(output, head.length)
  output.bytes.set(head, at)
  for (let patch = at + 5; patch < output.size; patch += headBytes + maxPayload) {
    writeUint32(output.bytes, patch, nextId)
  }
  return stream
}

function freePlace<Work>(session: Http2Session<Work>): Http2Stream<Work> {
  const { streams } = session
  const mask = streams.length - 1
  for (;;) {
    const stream = streams[(session.nextId >>> 1) & mask]!
    if (stream.id === 0) return stream
    // Ids that are left out are never used.
    session.nextId += 2
  }
}

/** The stream of that id, if it is open. */
export function streamOf<Work>(
  { streams }: Http2Session<Work>,
  id: number
): Http2Stream<Work> | undefined {
  const stream = streams[(id >>> 1) & (streams.length - 1)]!
  return stream.id === id && id > 0 ? stream : undefined
}

/** Ends a stream from here: nothing more is heard of it. */
export function resetStream<Work>(
  session: Http2Session<Work>,
  stream: Http2Stream<Work>,
  error: ErrorName
): void {
  session.active--
  dropStream(session, stream, error)
}

/** The same for a stream that is counted no longer. */
export function dropStream(
  session: Http2Session<any>,
  stream: Http2Stream<unknown>,
  error: ErrorName
): void {
  append(session.output, wordsFrame(frames.resetStream, stream.id, errorCode(error)))
  session.hasReset = true
  close(stream)
}

/** Gives the place of a stream that is over to others. */
export function close(stream: Http2Stream<unknown>): void {
  stream.id = 0
  stream.unsent = undefined
  stream.head = undefined
  stream.trailers = undefined
}

/** Asks the peer for a sign of life. */
export function ping(session: Http2Session<unknown>): void {
  append(session.output, frame(frames.ping, 0, Buffer.alloc(8)))
}

/** Says why the connection is ended from here. */
export function sayGoAway(session: Http2Session<unknown>, error: ErrorName): void {
  append(session.output, wordsFrame(frames.goAway, 0, 0, errorCode(error)))
}
