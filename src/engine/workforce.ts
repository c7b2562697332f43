import type { ShareResult } from '../load/run.ts'
import type { ShareTask } from './drive.ts'

/** Those who carry out the parts of a load: threads of this process, or of other machines. */
export type Workforce = {
  workers: number
  /** How long before its start they have to know of a load, to import what it needs and connect. */
  leadMs: number
  ready: () => Promise<void>
  /**
   * Has one of them carry out its part, which should end within `limitMs`. Rejects with `Refused`
   * where it may not be sent from, with another Error when the part is lost, as it is at once when
   * the signal is aborted and its thread can be ended.
   */
  share: (task: ShareTask, limitMs: number, signal?: AbortSignal) => Promise<ShareResult>
}

/** Whoever was to send a part of a load has no leave to. */
export class Refused extends Error {}
