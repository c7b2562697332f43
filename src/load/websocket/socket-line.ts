import type { Ending } from '../figures/sample.ts'
import type { DialAddress, Medium, Stream } from '../http1/dial.ts'
import {
  advance,
  createParser,
  expectResponse,
  isInBody,
  maxHeadBytes,
  type Parser
} from '../http1/parser.ts'
import type { Request } from '../requests/request.ts'
import { headersOf } from '../requests/response.ts'
import { notOpened } from '../transports/cause.ts'
import { endingOf } from '../transports/failure.ts'
import { clientFrame, closePayload, opcodes } from './frame.ts'
import { createHandshake, type Handshake } from './handshake.ts'
import { deflate, inflate, type SocketRefusal } from './message-deflate.ts'
import { createReceiver, type Receiver, type SocketEars } from './receiver.ts'

/** How a line came down: by which ending, and the words that go with it. */
export type LineDown = {
  ending: Ending
  /** The status of an answer in place of a handshake; 0 without. */
  status: number
  error?: Error
  /** What the server said goodbye with. */
  code?: number
  reason?: string
  /** What was wrong with what it sent. */
  because?: string
}

/** Whether a server ended a line otherwise than one does that is done, or goes away. */
export function isBroken({ ending }: Pick<LineDown, 'ending'>): boolean {
  return !['closed 1000', 'closed 1001', 'timeout', 'withheld'].includes(ending)
}

/** How a line that was up came down, in words; undefined where nothing but its ending is known. */
export function downText({ status, ending, code, reason, because }: LineDown): string | undefined {
  if (status > 0 && status !== 101) return `handshake answered ${status}`
  if (because !== undefined) return `${ending}: ${because}`
  if (code !== undefined) return `close ${code}${reason ? ` (${reason})` : ''}`
  return ending === 'closed' ? 'an end without a close code' : undefined
}

/** Who hears of a line. */
export type LineEars = {
  /** The handshake is over; messages may be sent. */
  onUp(): void
  onMessage(bytes: Buffer, isBinary: boolean): void
  /** A ping was answered. */
  onPong?(): void
  /** Told once, unless the line is destroyed before. */
  onDown(down: LineDown): void
  /** All that has come at once is worked off. */
  onRead?(): void
}

/** One WebSocket, from the dial to the last byte. */
export type SocketLine = {
  /** Sends one message; returns its bytes on the connection. */
  send(message: string | Buffer): number
  /** The same in fragments of so many bytes, which are not packed. */
  sendInParts(message: string | Buffer, partBytes: number): number
  /** Asks for a sign of life. */
  ping(): void
  /** Says goodbye; the line is down when the server has done so as well. */
  close(code: number, reason?: string): void
  /** Bytes that have come. */
  received(): number
  /** Ends it at once; nobody hears of it any more. */
  destroy(): void
  /** The same with a goodbye (1000), whose answer is not waited for. */
  leave(): void
}

/** What a server that does not read is left without: answers to its pings. */
const mostUnsent = 1_024 * 1_024

/** What a refusal is called when the server is told of it (RFC 6455, section 7.4.1). */
const refusals: Record<SocketRefusal, number> = { malformed: 1_002, oversized: 1_009 }

/** What a line is opened with. */
export type LineOptions = {
  address: DialAddress
  medium: Medium
  ears: LineEars
  /** Milliseconds of any origin. */
  now: () => number
  /** Offers to pack messages. */
  compress?: boolean
  maxBytes?: number
}

/** A line as it stands. */
type Core = Pick<LineOptions, 'address' | 'medium' | 'ears' | 'now' | 'maxBytes'> & {
  handshake: Handshake
  parser: Parser
  state: 'dialling' | 'opening' | 'up' | 'closing' | 'down'
  stream: Stream | undefined
  receiver: Receiver | undefined
  isPacked: boolean
  received: number
}

function destroy(core: Core): void {
  core.state = 'down'
  core.stream?.destroy()
  core.stream = undefined
}

function bringDown(core: Core, told: Partial<LineDown> & Pick<LineDown, 'ending'>): void {
  if (core.state === 'down') return
  destroy(core)
  core.ears.onDown({ status: 0, ...told })
}

function write(core: Core, opcode: number, payload: Buffer, isCompressed = false): number {
  const frame = clientFrame(opcode, payload, { isCompressed })
  core.stream!.write(frame)
  return frame.length
}

/** A message in frames of so many bytes. */
function fragments(opcode: number, bytes: Buffer, partBytes: number): Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / partBytes))
  return Array.from({ length: count }, (_, part) => {
    const payload = bytes.subarray(part * partBytes, (part + 1) * partBytes)
    const kind = part === 0 ? opcode : opcodes.continuation
    return clientFrame(kind, payload, { isLast: part === count - 1 })
  })
}

/** What is done about what a server sends. */
function earsOf(core: Core): SocketEars {
  return {
    onMessage: core.ears.onMessage,
    onPing(payload) {
      const mayAnswer = core.state === 'up' && core.stream!.writableLength < mostUnsent
      if (mayAnswer) write(core, opcodes.pong, payload)
    },
    onPong: () => core.ears.onPong?.(),
    onGoodbye(code, reason) {
      const payload = code === undefined ? Buffer.alloc(0) : closePayload(code)
      if (core.state === 'up') write(core, opcodes.close, payload)
      const ending: Ending = code === undefined ? 'closed' : `closed ${code}`
      bringDown(core, { ending, code, reason })
    }
  }
}

/** Why there is no WebSocket, as an error whose words say it. */
const unopened = (said: string) => Object.assign(new Error(said), { code: notOpened })

const improper = `its answer is no HTTP/1.1, or has a head of more than ${maxHeadBytes / 1_024} KiB`

/** Acts on the head of what answers the handshake; of another answer it says enough. */
function answered(core: Core): void {
  const { handshake, parser, maxBytes, ears, now } = core
  const { status } = parser
  const said = handshake.check(status, headersOf(parser.headers))
  if (typeof said === 'string') {
    const ending = status === 101 ? 'malformed' : 'answered'
    bringDown(core, { ending, status, error: unopened(said) })
    return
  }
  core.isPacked = said.packs
  const packed = said.packs ? { inflate } : {}
  core.receiver = createReceiver({ ears: earsOf(core), now, maxBytes, ...packed })
  core.state = 'up'
  ears.onUp()
}

/** Takes what answers the handshake; returns how far it came. */
function shake(core: Core, at: number, end: number): number {
  const { parser, medium } = core
  const to = advance(parser, medium.buffer, at, end)
  if (parser.expects === 'malformed') {
    bringDown(core, { ending: 'malformed', error: unopened(improper) })
  } else if (isInBody(parser)) answered(core)
  return to
}

function onBytes(core: Core, from: number, end: number): void {
  core.received += end - from
  const at = core.state === 'opening' ? shake(core, from, end) : from
  const refusal = at < end ? core.receiver?.take(core.medium.buffer, at, end) : undefined
  // Who ended it meanwhile has no use for what comes after.
  if (refusal !== undefined && core.stream !== undefined) {
    write(core, opcodes.close, closePayload(refusals[refusal.ending]))
    bringDown(core, refusal)
  }
  core.ears.onRead?.()
}

/** Opens a WebSocket for a request. */
export function openLine(request: Request, options: LineOptions): SocketLine {
  const { address, medium, ears, now, maxBytes, compress = false } = options
  const handshake = createHandshake(request, { compress })
  const parser = createParser()
  expectResponse(parser, { bodiless: false, keeps: true, upgrades: true })
  const begun = { state: 'dialling', stream: undefined, receiver: undefined } as const
  const core: Core = {
    ...{ address, medium, ears, now, maxBytes, handshake, parser, isPacked: false, received: 0 },
    ...begun
  }
  core.stream = medium.dial(address, {
    onUp() {
      if (core.state !== 'dialling') return
      core.state = 'opening'
      core.stream!.write(handshake.bytes)
    },
    onBytes: (from, end) => core.state !== 'down' && onBytes(core, from, end),
    onEnd: () => bringDown(core, { ending: 'closed' }),
    onClose: () => bringDown(core, { ending: 'closed' }),
    onError(error) {
      const secure = address.secure && core.state === 'dialling'
      bringDown(core, { ending: endingOf(error, { secure }), error })
    }
  })
  return {
    send(message) {
      if (core.state !== 'up') return 0
      const opcode = typeof message === 'string' ? opcodes.text : opcodes.binary
      const bytes = Buffer.from(message)
      return core.isPacked ? write(core, opcode, deflate(bytes), true) : write(core, opcode, bytes)
    },
    sendInParts(message, partBytes) {
      if (core.state !== 'up') return 0
      const opcode = typeof message === 'string' ? opcodes.text : opcodes.binary
      const frames = fragments(opcode, Buffer.from(message), partBytes)
      for (const one of frames) core.stream!.write(one)
      return frames.reduce((sum, { length }) => sum + length, 0)
    },
    ping() {
      if (core.state === 'up') write(core, opcodes.ping, Buffer.alloc(0))
    },
    close(code, reason) {
      if (core.state !== 'up') return
      core.state = 'closing'
      write(core, opcodes.close, closePayload(code, reason))
    },
    received: () => core.received,
    destroy: () => destroy(core),
    leave() {
      if (core.state === 'up') write(core, opcodes.close, closePayload(1_000))
      destroy(core)
    }
  }
}
