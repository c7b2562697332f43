import type { Connections } from './transport.ts'

/** An engine with a load to carry out: all that the one who starts it needs to know. */
export type Drive = {
  /** Makes the connections. */
  open(): Promise<void>
  /** Carries the load out; resolves when it is over, with how many iterations are unfinished. */
  run(): Promise<number>
  /** How many iterations have begun, and how many of them have not ended. */
  begun(): number
  inFlight(): number
  connections(): Connections
  close(): void
}
