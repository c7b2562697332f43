import type { Answer } from './answer.ts'
import type { Received, Response } from './message.ts'
import type { Pace } from './pace.ts'

/** What one of the platform's listeners does with requests. */
export type Service = {
  /** Handles a request to one host; `proceed` tells a client that waits for it to send its body. */
  onRequest(message: Received, response: Response, proceed: () => void): void
  /** The answer to what is no request at all. */
  onMalformed(status: 400 | 405 | 408 | 431): Answer
  /** Whether connections may begin with HTTP/2 as well (h2c by prior knowledge). */
  http2?: boolean
  /** Largest request head that is read at all, in bytes; beyond it is malformed. */
  headBytes?: number
  /** How fast bodies have to come. */
  pace?: Pace
  /** How long a connection may be silent both ways unless its answer is being made, in ms. */
  idleMs?: number
  /** How long a connection may go without asking for anything, whatever else it sends, in ms. */
  quietMs?: number
  /** Ends what the service holds open itself. */
  close?(): Promise<void>
}
