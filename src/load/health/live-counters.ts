import { type Sample, unansweredEndings } from '../figures/sample.ts'

/** Counters at the beginning of a worker's live memory; cells of the latency counts follow. */
const counters = [
  ...(['begun', 'finished', 'measured', 'failed', 'dropped', 'arrived', 'unanswered'] as const)
]

/** Cells for each doubling of the latency: a value is known to within 1/64 of itself. */
const cellsPerOctave = 64
const octaves = 26
const cellCount = cellsPerOctave * octaves

type Counter = (typeof counters)[number]

/** What one worker has done so far, for others to see while it goes on; only it writes. */
export type LiveCounters = {
  begin(): void
  /** An arrival that is to be measured came due, and could not be sent. */
  arrive(): void
  drop(): void
  /** A request has ended; of one that is not to be measured nothing but that is kept. */
  record(sample: Sample, isMeasured: boolean): void
}

/** Sums over all workers at one moment; counts wrap at 2³², so only differences mean something. */
export type Reading = Record<Counter, number> & { atMs: number; cells: Uint32Array }

/** What happened between two readings. */
export type Window = Record<Exclude<Counter, 'unanswered'>, number> & {
  fromMs: number
  toMs: number
  inFlight: number
  /** Response times in microseconds that this percentage does not exceed; null without any. */
  percentileUs(percent: number): number | null
  /** How many response times were certainly longer than so many microseconds. */
  countAboveUs(us: number): number
}

/** Memory for one worker's live counts, shared between threads. */
export function createLiveMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((counters.length + cellCount) * 4)
}

/** Which cell a latency falls into: linear below 64 µs, then 64 cells for each doubling. */
export function cellOf(us: number): number {
  const whole = Math.min(us, 2 ** 31 - 1) | 0
  if (whole < cellsPerOctave) return whole
  const octave = 31 - Math.clz32(whole) - 5
  return (octave << 6) + ((whole >>> (octave - 1)) - cellsPerOctave)
}

/** The largest latency that falls into a cell, in microseconds. */
export function cellTopUs(cell: number): number {
  if (cell < cellsPerOctave) return cell
  const octave = cell >> 6
  return ((cell & 63) + cellsPerOctave + 1) * 2 ** (octave - 1) - 1
}

/** The writing side of a worker's live memory. */
export function createLiveCounters(memory: SharedArrayBuffer): LiveCounters {
  const counts = new Uint32Array(memory, 0, counters.length)
  const cells = new Uint32Array(memory, counters.length * 4)
  return {
    begin: () => void counts[0]!++,
    drop: () => void counts[4]!++,
    arrive: () => void counts[5]!++,
    record({ ending, status, end, due }, isMeasured) {
      counts[1]!++
      if (!isMeasured) return
      counts[2]!++
      if (ending !== 'answered' || status >= 400) counts[3]!++
      // Most are answered: they are not looked up.
      if (ending !== 'answered' && unansweredEndings.includes(ending)) counts[6]!++
      if (ending === 'answered' || ending === 'timeout') cells[cellOf((end - due) * 1_000)]!++
    }
  }
}

/** Reads the sums over all workers. */
export function readLive(memories: readonly SharedArrayBuffer[], atMs: number): Reading {
  const sums = new Uint32Array(counters.length + cellCount)
  for (const memory of memories) {
    const words = new Uint32Array(memory)
    for (let index = 0; index < sums.length; index++) sums[index]! += words[index]!
  }
  const counted = Object.fromEntries(counters.map((name, index) => [name, sums[index]!]))
  return { ...(counted as Record<Counter, number>), atMs, cells: sums.subarray(counters.length) }
}

/** What happened between an earlier reading and a later one. */
export function between(earlier: Reading, later: Reading): Window {
  const cells = later.cells.map((count, index) => count - earlier.cells[index]!)
  const total = cells.reduce((sum, count) => sum + count, 0)
  const since = (counter: Counter) => (later[counter] - earlier[counter]) >>> 0
  return {
    fromMs: earlier.atMs,
    toMs: later.atMs,
    begun: since('begun'),
    finished: since('finished'),
    measured: since('measured'),
    failed: since('failed'),
    dropped: since('dropped'),
    arrived: since('arrived'),
    inFlight: (later.begun - later.finished) >>> 0,
    countAboveUs: (us) => cells.slice(cellOf(us) + 1).reduce((sum, count) => sum + count, 0),
    percentileUs(percent) {
      if (total === 0) return null
      let left = Math.max(1, Math.ceil((total * percent) / 100))
      const isThere = (count: number) => {
        left -= count
        return left <= 0
      }
      return cellTopUs(cells.findIndex(isThere))
    }
  }
}
