import type { Worker } from 'node:worker_threads'
import type { FromHost, LoadMessage } from '../message.ts'
import type { SharedTurn } from '../shared-turn.ts'
import type { Inspector } from './inspector.ts'
import type { ThreadClock } from './thread-clock.ts'

/** What a host works with: the guest's thread, ways to look into it, and the platform. */
export type HostParts = {
  load: LoadMessage
  worker: Worker
  /** Bytes the guest uses itself. */
  ownBytes: number
  inspector: Inspector
  sharedTurn: SharedTurn
  thread: ThreadClock
  send: (message: FromHost) => void
  die: (message: FromHost) => void
}
