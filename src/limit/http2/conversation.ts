import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../clock.ts'
import { type DialAddress, dialSocket } from '../../load/http1/dial.ts'
import {
  errorName,
  flags,
  frame,
  frames,
  preface,
  readUint32,
  settings,
  settingsFrame,
  wordsFrame
} from '../../load/http2/frame.ts'
import { createFrameReader, type Frame, readFrames } from '../../load/http2/frame-reader.ts'
import { createHeaderDecoder, decodeBlock } from '../../load/http2/header-decoder.ts'
import { createHeard } from '../heard.ts'

/** What is said of settings, by name; those that are not named are missing. */
export type Announced = Partial<Record<keyof typeof settings, number>>

/** How far a stream has come, as its target tells. */
export type StreamState = {
  /** Status of its answer; 0 while there is none. */
  status: number
  /** Whether the answer is whole. */
  isWhole: boolean
  /** Names and values, in turn, of its head and its trailers. */
  fields: string[]
  /** By which error the target reset it. */
  reset?: string
  /** By how much its window was opened beyond what all have at first. */
  opened: number
}

/** How a target ended a connection: by a frame that says so, or without a word. */
export type ConversationEnd = { goAway?: string; isClosed: boolean }

/** One HTTP/2 connection that is spoken on frame by frame, and what was heard on it. */
export type Conversation = {
  /** What the target has said so far of its settings. */
  announced: Announced
  /** By how much it has opened the connection's window beyond what all have at first. */
  opened: number
  /** Pings that it has answered. */
  pongs: number
  /** Set once it has said that it ends the connection, or has ended it. */
  end: ConversationEnd | undefined
  /** What is known of a stream. */
  stream(id: number): Readonly<StreamState>
  say(...bytes: Buffer[]): void
  /** Resolves once that holds, the connection has ended, or after `ms`: to whether it holds. */
  until(holds: () => boolean, ms: number): Promise<boolean>
  close(): void
}

/** The windows that all streams and connections have at first. */
export const firstWindow = 65_535

/** How long a connection may take to be made, and the target to say its settings, in ms. */
const patienceMs = 10_000

/** The widest window that can be had in one step, so that answers are held up by nothing. */
const wide = 2 ** 30

const names = new Map<number, keyof typeof settings>(
  Object.entries(settings).map(([name, number]) => [number, name as keyof typeof settings])
)

/** What a conversation hears with. */
type Hearing = Conversation & {
  isGreeted: boolean
  decoder: ReturnType<typeof createHeaderDecoder>
  states: Map<number, StreamState>
  /** The header block that has begun: whether it is a stream's last word, and its bytes. */
  block: { isLast: boolean; parts: Buffer[] }
}

/** Makes a connection and hears the greeting; in words why there is none, where that is so. */
export async function converse(
  address: DialAddress,
  { clock, ours = {} }: { clock: Clock; ours?: Announced }
): Promise<Conversation | string> {
  const socket = dialSocket(address, {}, 'h2')
  const hearing = attach(socket, clock)
  let fault = 'it said no SETTINGS'
  socket.on('error', ({ message }) => {
    fault = message
  })
  socket.on(address.secure ? 'secureConnect' : 'connect', () => {
    const agreed = !address.secure || (socket as TLSSocket).alpnProtocol === 'h2'
    if (!agreed) return void socket.destroy(new Error('it agrees on no HTTP/2 (ALPN)'))
    const given = settingsFrame({ enablePush: 0, initialWindowSize: wide, ...ours })
    socket.write(Buffer.concat([preface, given, wordsFrame(frames.windowUpdate, 0, wide)]))
  })
  socket.once('data', (bytes: Buffer) => {
    const speaks = /^HTTP\/1\.\d/.exec(bytes.toString('latin1', 0, 16))?.[0]
    if (speaks !== undefined) fault = `it speaks ${speaks}`
  })
  if (await hearing.until(() => hearing.isGreeted, patienceMs)) return hearing
  hearing.close()
  return `no HTTP/2 connection: ${fault}`
}

function attach(socket: Socket, clock: Clock): Hearing {
  const { tell, until } = createHeard(clock, () => hearing.end?.isClosed === true)
  const reader = createFrameReader()
  const states = new Map<number, StreamState>()
  const hearing: Hearing = {
    ...{ announced: {}, opened: 0, pongs: 0, end: undefined, states, isGreeted: false },
    ...{ decoder: createHeaderDecoder(), block: { isLast: false, parts: [] } },
    stream: (id) => stateOf(hearing, id),
    say(...bytes) {
      if (!hearing.end?.isClosed) socket.write(Buffer.concat(bytes))
    },
    until,
    close: () => void socket.destroy()
  }
  const close = () => {
    hearing.end = { ...hearing.end, isClosed: true }
    tell()
  }
  socket.on('data', (bytes: Buffer) => {
    const isSound = readFrames(reader, bytes, bytes.length, (one) => hear(hearing, one))
    if (!isSound) socket.destroy()
    tell()
  })
  socket.on('end', close).on('close', close)
  return hearing
}

function stateOf({ states }: Hearing, id: number): StreamState {
  const known = states.get(id)
  if (known !== undefined) return known
  const state = { status: 0, isWhole: false, fields: [], opened: 0 }
  states.set(id, state)
  return state
}

/** Takes in one frame; false for what is no HTTP/2. */
function hear(hearing: Hearing, one: Frame): boolean {
  const { type, flag, id, bytes, at, end } = one
  if (!hearing.isGreeted && type !== frames.settings) return false
  // A frame that is cut short is none that could be read.
  if (end - at < (shortest[type] ?? 0) && !(flag & flags.ack)) return false
  switch (type) {
    case frames.settings:
      if (!(flag & flags.ack)) takeSettings(hearing, one)
      return true
    case frames.ping:
      if (flag & flags.ack) hearing.pongs++
      else hearing.say(frame(frames.ping, 0, bytes.subarray(at, end), flags.ack))
      return true
    case frames.windowUpdate:
      if (id === 0) hearing.opened += readUint32(bytes, at)
      else stateOf(hearing, id).opened += readUint32(bytes, at)
      return true
    case frames.resetStream:
      stateOf(hearing, id).reset = errorName(readUint32(bytes, at))
      return true
    case frames.goAway:
      hearing.end = {
        isClosed: false,
        ...hearing.end,
        goAway: errorName(readUint32(bytes, at + 4))
      }
      return true
    case frames.headers:
    case frames.continuation:
      return takeBlock(hearing, one)
    case frames.data:
      if (flag & flags.endStream) stateOf(hearing, id).isWhole = true
      return true
    default:
      return true
  }
}

/** Bytes without which a frame says nothing. */
const shortest: Partial<Record<number, number>> = {
  [frames.ping]: 8,
  [frames.windowUpdate]: 4,
  [frames.resetStream]: 4,
  [frames.goAway]: 8
}

function takeSettings(hearing: Hearing, { bytes, at, end }: Frame): void {
  for (let one = at; one + 6 <= end; one += 6) {
    const name = names.get(bytes.readUInt16BE(one))
    if (name !== undefined) hearing.announced[name] = readUint32(bytes, one + 2)
  }
  hearing.say(frame(frames.settings, 0, Buffer.alloc(0), flags.ack))
  hearing.isGreeted = true
}

function takeBlock(hearing: Hearing, { type, flag, id, bytes, at, end }: Frame): boolean {
  if (type === frames.headers) {
    const padding = flag & flags.padded ? bytes[at]! : 0
    const first = at + (flag & flags.padded ? 1 : 0) + (flag & flags.priority ? 5 : 0)
    if (first > end - padding) return false
    const part = Buffer.from(bytes.subarray(first, end - padding))
    hearing.block = { isLast: (flag & flags.endStream) !== 0, parts: [part] }
  } else hearing.block.parts.push(Buffer.from(bytes.subarray(at, end)))
  if (!(flag & flags.endHeaders)) return true
  const whole = Buffer.concat(hearing.block.parts)
  const said = decodeBlock(hearing.decoder, whole, 0, whole.length)
  if (typeof said === 'string') return false
  const state = stateOf(hearing, id)
  // Interim answers are none yet, and trailers have no status.
  if (said.status >= 200) state.status = said.status
  if (said.status === 0 || said.status >= 200) state.fields.push(...said.fields)
  if (hearing.block.isLast) state.isWhole = true
  return true
}
