import { type Stamp, stampOn } from './stamp.ts'

/** What is in a database's write-ahead log. */
export type Log = {
  /** Frames that follow each other from the beginning without a fault. */
  frames: number
  /** Transactions in them, which the database will have when it is opened. */
  transactions: number
  /** Transactions behind a frame that is not what was written, which it will not have. */
  cutOff: number
  /** The stamps of the first pages in them, in order. */
  stamps: Stamp[]
}

type Sums = readonly [number, number]

const headBytes = 32
const frameHeadBytes = 24

/**
 * Reads a write-ahead log as SQLite does, and on where SQLite stops; undefined when its head is not
 * what was written. A frame that was being written when the process was killed ends a log without
 * being a fault: nothing that was committed is behind it. A fault in the last transaction looks the
 * same.
 */
export function readLog(bytes: Buffer): Log | undefined {
  if (bytes.length < headBytes) return undefined
  const magic = bytes.readUInt32BE(0)
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined
  const words = wordsOf(bytes, magic === 0x377f0683)
  const head = sumUp([0, 0], words, { from: 0, to: 24 })
  if (!isStored(bytes, 24, head)) return undefined
  const pageBytes = bytes.readUInt32BE(8)
  const frameBytes = frameHeadBytes + pageBytes
  const isOfThisLog = (at: number) => bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0
  const follows = (at: number, before: Sums) => {
    const begun = sumUp(before, words, { from: at, to: at + 8 })
    const from = at + frameHeadBytes
    return isStored(bytes, at + 16, sumUp(begun, words, { from, to: from + pageBytes }))
  }

  const log: Log = { frames: 0, transactions: 0, cutOff: 0, stamps: [] }
  let before: Sums = head
  let isWhole = true
  for (let at = headBytes; at + frameBytes <= bytes.length; at += frameBytes) {
    const isIntact = isOfThisLog(at) && follows(at, before)
    const isCommit = bytes.readUInt32BE(at + 4) !== 0
    if (!isIntact) isWhole = false
    if (isWhole) log.frames++
    const found = isWhole && bytes.readUInt32BE(at) === 1 && stampOn(bytes, at + frameHeadBytes)
    if (found) log.stamps.push(found)
    // What was left behind by transactions that never ended has no frame that ends them.
    if (isIntact && isCommit) log[isWhole ? 'transactions' : 'cutOff']++
    before = [bytes.readUInt32BE(at + 16), bytes.readUInt32BE(at + 20)]
  }
  return log
}

/** The 32-bit number at a place, in the order of bytes the log was written with. */
function wordsOf(bytes: Buffer, isBigEndian: boolean) {
  return isBigEndian
    ? (at: number) => bytes.readUInt32BE(at)
    : (at: number) => bytes.readUInt32LE(at)
}

/** SQLite's running checksum over pairs of numbers. */
function sumUp(
  [first, second]: Sums,
  word: (at: number) => number,
  { from, to }: { from: number; to: number }
): Sums {
  let [one, other] = [first, second]
  for (let at = from; at < to; at += 8) {
    one = (one + word(at) + other) >>> 0
    other = (other + word(at + 4) + one) >>> 0
  }
  return [one, other]
}

function isStored(bytes: Buffer, at: number, [one, other]: Sums): boolean {
  return bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === other
}
