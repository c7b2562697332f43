import type { LoadResult, ShareResult } from '../load/figures/result.ts'
import type { Reading } from '../load/health/live-counters.ts'
import type { Connecting } from '../load/link.ts'
import type { Load } from '../load/load.ts'
import type { Request } from '../load/requests/request.ts'
import type { Share } from '../load/share.ts'
import type { Target } from '../target/target.ts'
import type { Unit } from './unit.ts'

/** Where a worker gets its requests from: given ones, or a scenario that it imports itself. */
export type Source = { requests: Request[] } | { unit: Unit; target: Target }

/** Whom a load goes to, what is asked there, and over which connections; plain data. */
export type Destination = Connecting & { source: Source }

/** The order to make a worker's part of the connections to these destinations. */
export type OpenOrder = {
  destinations: readonly Destination[]
  share: Share
  /** How long to wait for connections, in milliseconds; those missing come meanwhile. */
  withinMs: number
}

/** The order to carry out a worker's part of a load. */
export type TrialOrder = {
  /** Which of the destinations it goes to; a closed load to several of them, in turns. */
  to: readonly number[]
  load: Load
  seed: number
  startAt: number
  /** For each of them. */
  live: readonly SharedArrayBuffer[]
  stop: SharedArrayBuffer
  /** Which share of the requests carries a trace's context. Default: 0. */
  traced?: number
}

/**
 * One who sends a part of each load: a thread of this process, or one of another machine's. What it
 * is told should end within `limitMs`. Rejects with `Refused` where it may not be sent from there,
 * with another Error when the part is lost.
 */
export type LoadWorker = {
  /** Makes all connections, anew where there were some; resolves when they are there. */
  open(order: OpenOrder, limitMs: number): Promise<void>
  /** Carries out a part of a load over them; with a result for each that it goes to. */
  trial(order: TrialOrder, limitMs: number): Promise<ShareResult[]>
  /** Ends its connections. */
  close(): Promise<void>
}

/** Who hears of loads how they go on. */
export type LoadObserver = {
  /** Which share of the requests it wants to carry a trace's context. Default: 0. */
  traced?: number
  /**
   * A load begins there at that moment; what comes back hears of it four times a second, and when
   * it is over.
   */
  begin(
    destination: Destination,
    startAt: number
  ): {
    see(reading: Reading): void
    end(result: LoadResult): void
  }
}

/** All who send loads together. */
export type LoadWorkers = {
  all: readonly LoadWorker[]
  /** Hears of each load that they send, and has no part in it. */
  observe?: LoadObserver
  /** How long it takes at most, as a rule, until a trial has reached them; milliseconds. */
  leadMs(): number
  /** How long they may take to end what they are at once a stop was requested. */
  patienceMs: number
}

/** A refusal: whoever was to send a part of a load is not authorised to. */
export class Refused extends Error {}

/** Nobody is left who could send; what was sent before stays what it was. */
export class AllLost extends Error {}
