import { inflateSync } from 'node:zlib'
import { hdr } from './hdr.ts'

/** Values above this many microseconds (one hour) count in the last cell; `maxUs` stays exact. */
const highestUs = 3_600_000_000

/** A distribution as plain data: three digits in `encoded`, exact in the other fields. */
export type Distribution = {
  /** HdrHistogram V2, compressed, base64; microseconds. */
  encoded: string
  count: number
  /** Smallest and largest value; 0 when there is none. */
  minUs: number
  maxUs: number
  sumUs: number
}

/** Microseconds at the percentiles a report shows; null where there is nothing to tell. */
export type Percentiles = {
  p50: number | null
  p90: number | null
  p95: number | null
  p99: number | null
  p999: number | null
  max: number | null
  mean: number | null
}

/** Records latencies in milliseconds, kept as whole microseconds. */
export type Histogram = {
  record(ms: number): void
  distribution(): Distribution
}

const request = {
  autoResize: false,
  lowestDiscernibleValue: 1,
  highestTrackableValue: highestUs,
  numberOfSignificantValueDigits: 3
} as const

/** Microseconds that have a cell each; beyond them every doubling has half as many cells. */
const singles = 2 ** 11
const perDoubling = singles / 2

/** The cell of a whole number of microseconds below 2³², as HdrHistogram numbers them. */
function cellOf(us: number): number {
  const doublings = Math.max(0, 21 - Math.clz32(us))
  return doublings * perDoubling + (us >>> doublings)
}

/** The smallest number of microseconds in a cell. */
function lowestUs(cell: number): number {
  const doublings = Math.max(0, Math.floor(cell / perDoubling) - 1)
  return (cell - doublings * perDoubling) * 2 ** doublings
}

/** What the library makes of counts by cell, of which only those between two cells are any. */
function encodedOf(counts: Uint32Array, from: number, to: number): string {
  const { build, encodeIntoCompressedBase64 } = hdr()
  const cells = build({ ...request, bitBucketSize: 32 })
  for (let cell = from; cell <= to; cell++) {
    if (counts[cell]! > 0) cells.recordValueWithCount(lowestUs(cell), counts[cell]!)
  }
  return encodeIntoCompressedBase64(cells)
}

/** The distribution of nothing: most loads have several of it, each trial anew. */
let nothing: string | undefined

/**
 * An empty histogram; its size is fixed from the start. Values are counted here, in two thirds of
 * the time that the library's WebAssembly takes and without the tens of milliseconds in which that
 * is compiled; what they are counted as is the library's.
 */
export function createHistogram(): Histogram {
  const counts = new Uint32Array(cellOf(highestUs) + 1)
  const exact = { count: 0, minUs: Infinity, maxUs: 0, sumUs: 0 }
  return {
    record(ms) {
      const us = ms > 0 ? Math.round(ms * 1_000) : 0
      counts[cellOf(Math.min(us, highestUs))]!++
      exact.count++
      exact.sumUs += us
      if (us < exact.minUs) exact.minUs = us
      if (us > exact.maxUs) exact.maxUs = us
    },
    distribution() {
      if (exact.count === 0) {
        nothing ??= encodedOf(counts, 0, 0)
        return { encoded: nothing, ...exact, minUs: 0 }
      }
      const cellAt = (us: number) => cellOf(Math.min(us, highestUs))
      return { encoded: encodedOf(counts, cellAt(exact.minUs), cellAt(exact.maxUs)), ...exact }
    }
  }
}

/** Cells of sums: one worker never records more than 32 bits hold, all of them together may. */
const sumBits = 64

const decode = (encoded: string) => hdr().decodeFromCompressedBase64(encoded, sumBits)

/** No distribution of ours is longer, as text and unpacked; a made-up one could unpack for ever. */
const most = { characters: 4_194_304, bytes: 4_194_304 }

/** Where the number of significant digits is said, and the range: bytes after the first. */
const place = { digits: 12, lowest: 16, highest: 24 }

/** Whether a text is a distribution as `encoded` has it, with digits and a range ours can have. */
export function isEncoded(text: string): boolean {
  if (text.length > most.characters) return false
  try {
    const packed = Buffer.from(text, 'base64').subarray(8)
    const plain = inflateSync(packed, { maxOutputLength: most.bytes })
    const digits = plain.readInt32BE(place.digits)
    const lowest = plain.readBigInt64BE(place.lowest)
    const highest = plain.readBigInt64BE(place.highest)
    if (digits < 1 || digits > 3 || lowest < 1n || highest > BigInt(Number.MAX_SAFE_INTEGER)) {
      return false
    }
    return decode(text).totalCount >= 0
  } catch {
    return false
  }
}

/** One distribution of all the given ones; their order does not matter. */
export function mergeDistributions(parts: readonly Distribution[]): Distribution {
  const { build, encodeIntoCompressedBase64 } = hdr()
  const cells = build({ ...request, bitBucketSize: sumBits })
  const filled = parts.filter(({ count }) => count > 0)
  for (const { encoded } of filled) cells.add(decode(encoded))
  return {
    encoded: encodeIntoCompressedBase64(cells),
    count: filled.reduce((sum, { count }) => sum + count, 0),
    minUs: filled.length > 0 ? Math.min(...filled.map(({ minUs }) => minUs)) : 0,
    maxUs: Math.max(0, ...filled.map(({ maxUs }) => maxUs)),
    sumUs: filled.reduce((sum, { sumUs }) => sum + sumUs, 0)
  }
}

/** The value in microseconds that `percent` of all do not exceed; null when there is none. */
export function percentileUs(distribution: Distribution, percent: number): number | null {
  if (distribution.count === 0) return null
  const cells = decode(distribution.encoded)
  return Math.min(cells.getValueAtPercentile(percent), distribution.maxUs)
}

/** How many values are above so many microseconds, as far as cells tell them apart. */
export function countAboveUs({ encoded, count, maxUs }: Distribution, us: number): number {
  if (maxUs <= us) return 0
  const cells = decode(encoded)
  let within = 0
  let beyond = count
  while (beyond - within > 1) {
    const rank = Math.floor((within + beyond) / 2)
    const value = Math.min(cells.getValueAtPercentile((100 * rank) / count), maxUs)
    if (value <= us) within = rank
    else beyond = rank
  }
  return count - within
}

/** How many cells of `shapeOf` a doubling has: values in one are within 4 % of each other. */
const shapeCells = 16

/** Which cell of `shapeOf` a value in microseconds falls into. */
export const shapeCell = (us: number) => Math.floor(shapeCells * Math.log2(Math.max(1, us)))

/** The smallest value in microseconds of a cell of `shapeOf`. */
export const shapeCellUs = (cell: number) => 2 ** (cell / shapeCells)

/** How many values there are in each cell that has any: small enough to be kept of many trials. */
export function shapeOf({ encoded, count }: Distribution): Record<number, number> {
  const found: Record<number, number> = {}
  if (count === 0) return found
  const cells = decode(encoded)
  if (!(cells instanceof hdr().JsHistogram)) throw new TypeError('a histogram in WebAssembly')
  for (let index = 0; index < cells.countsArrayLength; index++) {
    const here = cells.getCountAtIndex(index)
    if (here === 0) continue
    const cell = shapeCell(cells.valueFromIndex(index))
    found[cell] = (found[cell] ?? 0) + here
  }
  return found
}

/** The percentiles a report shows. */
export function percentiles(distribution: Distribution): Percentiles {
  const { count, maxUs, sumUs, encoded } = distribution
  if (count === 0) return noPercentiles
  const cells = decode(encoded)
  const at = (percent: number) => Math.min(cells.getValueAtPercentile(percent), maxUs)
  return {
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    p999: at(99.9),
    max: maxUs,
    mean: Math.round(sumUs / count)
  }
}

/** What is shown where nothing was measured, or what was measured cannot be trusted. */
export const noPercentiles: Percentiles = {
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  p999: null,
  max: null,
  mean: null
}
