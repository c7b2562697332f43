import type { Random } from '../../../src/random.ts'
import type { Head } from './answer-stream.ts'

/** What was asked, as far as an answer may depend on it. */
export type Asked = { method: string; target: string }

/** How a proxy passes answers on; what is left out it does as it came. */
export type Way = {
  /** Another head; how long the body is, and whether the connection stays, is not its matter. */
  head?: (head: Head, given: { asked: Asked; chance: Random }) => Head
  /** Another text for a whole body that is JSON. */
  json?: (value: any, given: { asked: Asked; head: Head; chance: Random }) => string
  /** Another status, by a whole body that is JSON. */
  status?: (value: any, given: { asked: Asked; head: Head }) => number
  /** Whether an answer is a 204 without a body, in place of what it was. */
  isBare?: (given: { asked: Asked; head: Head }) => boolean
  /** A coding by its name, and what puts bytes into it, each part as it comes. */
  coding?: [name: string, encode: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>]
  /** How the end of a body is told, in place of how it was. */
  framing?: 'chunked' | 'close'
  /** Bytes of a piece on the way. */
  pieceBytes?: number
  /** Milliseconds between the pieces of an answer. */
  pieceMs?: number
  /** Milliseconds before an answer begins. */
  delayMs?: (chance: Random) => number
  /** Milliseconds before a client is told to go on; infinite where it never is. */
  leaveMs?: number
  /** Interim answers that go before each. */
  interim?: string
  /** Milliseconds after an answer when a connection on which nothing is asked is closed. */
  idleMs?: number
  /** Every connection is closed behind its first answer. */
  isOnce?: boolean
  /** What is refused is refused once all of it was read. */
  isLate?: boolean
}
