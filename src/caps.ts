/** What an authorisation allows of one host: plain data, and memory that all threads count in. */
export type Caps = {
  requestsPerSecond: number
  /** How long it may go on, from the first request on. */
  seconds: number
  /** When leave ends altogether, in milliseconds since the epoch. */
  untilMs: number
  /** What was sent so far, by whichever thread; see `createMeter`. */
  meter: SharedArrayBuffer
}

/** What left in time may take so many milliseconds to come back before it is given up. */
export const returnMs = 1_000

/** Counts what is sent under caps, together with all others who send under the same ones. */
export type Meter = {
  /**
   * Whether a request may leave now, which it then has to. Who is late may make up for at most
   * `slackMs` of it.
   */
  take(nowMs: number, slackMs?: number): boolean
  /** When the next request may leave at the earliest; Infinity when none may any more. */
  freeAt(nowMs: number, slackMs?: number): number
  /** Makes this moment the beginning, unless there was one. */
  begin(nowMs: number): void
  /** Whether the time is up. */
  isOver(nowMs: number): boolean
  /** Forgets the beginning: what comes next is another run. */
  renew(): void
}

/** Cells of a meter's memory, in microseconds since the epoch; 0 for none yet. */
const cell = { began: 0, due: 1 }

/** Memory for a meter that has counted nothing yet. */
export function createMeterMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)
}

const micros = (ms: number) => BigInt(Math.round(ms * 1_000))

/**
 * The meter behind caps. It knows only when the next request is due, and whoever moves that moment
 * on by one distance may send: so threads need no agreement, and nothing is saved up (the generic
 * cell rate algorithm, ITU-T I.371).
 */
export function createMeter({ requestsPerSecond, seconds, untilMs, meter }: Caps): Meter {
  const cells = new BigInt64Array(meter)
  const distance = BigInt(Math.max(1, Math.ceil(1e6 / requestsPerSecond)))
  const begin = (nowMs: number) => {
    Atomics.compareExchange(cells, cell.began, 0n, micros(nowMs))
  }
  const isOver = (nowMs: number) => {
    const began = Number(Atomics.load(cells, cell.began)) / 1_000
    return nowMs >= untilMs || (began > 0 && nowMs >= began + seconds * 1_000)
  }
  return {
    begin,
    isOver,
    take(nowMs, slackMs = 0) {
      begin(nowMs)
      if (isOver(nowMs)) return false
      const now = micros(nowMs)
      for (;;) {
        const due = Atomics.load(cells, cell.due)
        if (now + micros(slackMs) < due) return false
        const next = (due > now ? due : now) + distance
        if (Atomics.compareExchange(cells, cell.due, due, next) === due) return true
      }
    },
    freeAt(nowMs, slackMs = 0) {
      if (isOver(nowMs)) return Number.POSITIVE_INFINITY
      return Math.max(nowMs, Number(Atomics.load(cells, cell.due)) / 1_000 - slackMs)
    },
    renew: () => void Atomics.store(cells, cell.began, 0n)
  }
}
