import type { Socket } from 'node:net'
import {
  type DialAddress,
  dialSocket,
  type Stream,
  type StreamEars,
  tellOf
} from '../http1/dial.ts'
import { cancel, receive, send, sendInTime, submit, waiting } from './orders.ts'
import { hasReports } from './reports.ts'
import type { Ring } from './ring.ts'

/** What an order of a stream was for: the lower bits of its tag. */
const kinds = { receive: 0, send: 1, sendInTime: 2 }
const kindBits = 2

/** The tag of what is of no further interest. */
export const ignoredTag = -1

const [noPieces, full, canceled] = [-105, -11, -125]

/** The streams of one ring. */
export type Streams = {
  ring: Ring
  /** By number; a number is given again once nothing more will be heard of its stream. */
  all: (RingStream | undefined)[]
  free: number[]
  /** Counts how often everything handed over was reported on. */
  round: number
  /** Those that have more to send, after this round. */
  late: RingStream[]
  /** Those of which nothing more will be heard, after this round. */
  leaving: RingStream[]
  /** Whether reports are being taken in, after which more is handed over. */
  isTurning: boolean
  /** Has a turn come soon. */
  needTurn(): void
}

/**
 * A connection whose bytes a ring moves. A socket of Node makes it and holds its file open, until
 * nothing that was ordered with that file can still come.
 */
export type RingStream = Stream & {
  streams: Streams
  socket: Socket
  /** Nobody, once it is destroyed. */
  ears: StreamEars | undefined
  /** −1 until it is connected. */
  number: number
  fd: number
  isReceiving: boolean
  isLeaving: boolean
  /** The round in which something was ordered to be sent at once, and what. */
  round: number
  sending: Buffer | undefined
  /** What there was no room for, which the kernel holds, and what is to be sent after it. */
  held: Buffer | undefined
  behind: Buffer[]
}

/** Begins to connect. */
export function dialRing(streams: Streams, address: DialAddress, ears: StreamEars): RingStream {
  const stream: RingStream = {
    streams,
    socket: dialSocket(address),
    ears,
    number: -1,
    fd: -1,
    isReceiving: false,
    isLeaving: false,
    round: -1,
    sending: undefined,
    held: undefined,
    behind: [],
    get writableLength() {
      return stream.behind.length + (stream.held === undefined ? 0 : 1)
    },
    write: (bytes) => write(stream, bytes),
    destroy: () => destroy(stream)
  }
  // It never reads: what arrives is for the ring.
  stream.socket.pause()
  tellOf(stream.socket, address, {
    ...{ onBytes() {}, onEnd() {} },
    onUp: () => adopt(stream),
    onClose: () => stream.ears?.onClose(),
    onError: (error) => stream.ears?.onError(error)
  })
  return stream
}

/** How much has not left, at most: what the kernel holds may have left in part. */
export function unsentOf(stream: Stream): number {
  const { held, behind } = stream as RingStream
  return behind.reduce((sum, { length }) => sum + length, held?.length ?? 0)
}

/** The file of a socket of Node; −1 where it does not tell. */
function fileOf(socket: Socket): number {
  return (socket as unknown as { _handle?: { fd?: number } })._handle?.fd ?? -1
}

function adopt(stream: RingStream): void {
  const { streams, socket } = stream
  stream.fd = fileOf(socket)
  if (stream.fd < 0) {
    stream.ears?.onError(new Error('a socket without a file'))
    return
  }
  stream.number = streams.free.pop() ?? streams.all.length
  streams.all[stream.number] = stream
  order(stream)
  stream.ears?.onUp()
  streams.needTurn()
}

const tagOf = ({ number }: RingStream, kind: number) => (number << kindBits) | kind

function order(stream: RingStream): void {
  stream.isReceiving = true
  receive(stream.streams.ring, stream.fd, tagOf(stream, kinds.receive))
}

function write(stream: RingStream, bytes: Buffer): void {
  const { streams } = stream
  const { ring } = streams
  // Two orders at once could send the second before the rest of the first.
  if (stream.held !== undefined || stream.behind.length > 0 || stream.round === streams.round) {
    putBehind(stream, bytes)
    return
  }
  sendNow(stream, bytes)
  if (streams.isTurning) return
  submit(ring)
  // Without any report it was all sent, and so was everything before.
  if (!hasReports(ring) && waiting(ring) === 0) streams.round++
}

function sendNow(stream: RingStream, bytes: Buffer): void {
  stream.round = stream.streams.round
  stream.sending = bytes
  send(stream.streams.ring, stream.fd, bytes, tagOf(stream, kinds.send))
}

function putBehind(stream: RingStream, bytes: Buffer): void {
  stream.behind.push(bytes)
  if (stream.held !== undefined || stream.behind.length > 1) return
  stream.streams.late.push(stream)
  stream.streams.needTurn()
}

/** Sends what had to wait for the round to end. */
export function sendBehind(stream: RingStream): void {
  if (stream.ears === undefined || stream.held !== undefined || stream.behind.length === 0) return
  const bytes = stream.behind.length === 1 ? stream.behind[0]! : Buffer.concat(stream.behind)
  stream.behind = []
  sendNow(stream, bytes)
}

function hold(stream: RingStream, bytes: Buffer): void {
  stream.held = bytes
  sendInTime(stream.streams.ring, stream.fd, bytes, tagOf(stream, kinds.sendInTime))
  stream.streams.needTurn()
}

function errorOf({ ring: { system } }: Streams, result: number): Error {
  const code = system.nameOf(-result)
  return Object.assign(new Error(code), { code })
}

/** Takes in what became of an order of one of the streams. */
export function onStreamReport(
  streams: Streams,
  tag: number,
  result: number,
  from: number,
  isMore: boolean
): void {
  const stream = streams.all[tag >> kindBits]
  if (stream === undefined) throw new Error(`a report of a stream that is gone: ${tag}`)
  const kind = tag & ((1 << kindBits) - 1)
  if (kind === kinds.receive) onArrival(stream, result, from, isMore)
  else if (kind === kinds.send) onShort(stream, result)
  else onHeld(stream, result)
}

function onArrival(stream: RingStream, result: number, from: number, isMore: boolean): void {
  if (!isMore) stream.isReceiving = false
  const { ears } = stream
  if (result > 0) ears?.onBytes(from, from + result)
  else if (result === 0) ears?.onEnd()
  else if (result !== noPieces && result !== canceled) {
    ears?.onError(errorOf(stream.streams, result))
  }
  if (isMore) return
  if (stream.ears === undefined) settle(stream)
  else {
    order(stream)
    stream.streams.needTurn()
  }
}

/** Takes in that something could not be sent whole. */
function onShort(stream: RingStream, result: number): void {
  const { ears, sending } = stream
  if (ears === undefined) return
  if (result < 0 && result !== full) ears.onError(errorOf(stream.streams, result))
  else hold(stream, sending!.subarray(Math.max(0, result)))
}

/** Takes in what became of bytes that the kernel held. */
function onHeld(stream: RingStream, result: number): void {
  const held = stream.held!
  stream.held = undefined
  if (stream.ears === undefined) settle(stream)
  else if (result < 0) stream.ears.onError(errorOf(stream.streams, result))
  else if (result < held.length) hold(stream, held.subarray(result))
  else if (stream.behind.length > 0) {
    stream.streams.late.push(stream)
    stream.streams.needTurn()
  }
}

function destroy(stream: RingStream): void {
  const { ears, streams, socket } = stream
  if (ears === undefined) return
  stream.ears = undefined
  stream.behind = []
  if (stream.number < 0) {
    socket.destroy()
    return
  }
  const { ring } = streams
  if (stream.isReceiving) cancel(ring, tagOf(stream, kinds.receive), ignoredTag)
  if (stream.held !== undefined) cancel(ring, tagOf(stream, kinds.sendInTime), ignoredTag)
  settle(stream)
  streams.needTurn()
}

/**
 * Lets a stream go of which nothing more will be heard; only after this round, since orders with
 * its file may wait to be handed over.
 */
function settle(stream: RingStream): void {
  if (isOrdered(stream) || stream.isLeaving) return
  stream.isLeaving = true
  stream.streams.leaving.push(stream)
}

/** Gives up the file and the number of a stream of which nothing more will be heard. */
export function release(stream: RingStream): void {
  const { streams, number, socket } = stream
  streams.all[number] = undefined
  streams.free.push(number)
  socket.destroy()
}

/** Whether the kernel still has orders of a stream. */
export function isOrdered({ isReceiving, held }: RingStream): boolean {
  return isReceiving || held !== undefined
}
