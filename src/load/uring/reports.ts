import { waiting, writeLimit } from './orders.ts'
import { give, placeOf, type Ring } from './ring.ts'
import { calls } from './system.ts'

const [getEvents, withLimit] = [1, 8]
const [hasPiece, hasMore] = [1, 2]
const isOverflown = 1 << 1
const isMuted = 1
const wordsOfReport = 4

/** The argument of a wait, and the limit in it, in words. */
const [argumentWords, limitAt] = [6, 8]

/** How waits end without anything being wrong: in time, by a signal, reports have no room. */
const harmless = ['ETIME', 'EINTR', 'EAGAIN', 'EBUSY']

/** Told what became of the order with that tag. */
export type OnReport = (
  tag: number,
  /** Bytes, or the negative of an error. */
  result: number,
  /** Where in the ring's `arrivals` they begin; −1 without any. */
  from: number,
  /** Whether more will be heard of this order. */
  isMore: boolean
) => void

/** Hands orders over and has the kernel work, and waits for so many reports, at most so long. */
export function enter(ring: Ring, reports: number, ms: number): void {
  const { system, control, at, limits, limitsFrom } = ring
  const orders = waiting(ring)
  control[at.sqTail] = ring.tail
  let flags = getEvents
  if (reports > 0) {
    flags |= withLimit
    writeLimit(ring, limitAt, ms)
    const limitFrom = limitsFrom + limitAt * 4
    limits[4] = limitFrom | 0
    limits[5] = Math.floor(limitFrom / 2 ** 32)
  }
  const argument = reports > 0 ? limitsFrom : 0
  const bytes = reports > 0 ? argumentWords * 4 : 0
  const result = system.call(calls.enter, ring.fd, orders, reports, flags, argument, bytes)
  if (result < 0 && !harmless.includes(system.nameOf(-result))) {
    throw new Error(`io_uring fails: ${system.nameOf(-result)}`)
  }
}

/** Whether there are reports. */
export function hasReports({ control, at }: Ring): boolean {
  return control[at.cqHead] !== control[at.cqTail]
}

/** Takes in all reports there are; their number. */
export function takeReports(ring: Ring, onReport: OnReport): number {
  const { control, at, reportMask } = ring
  let count = 0
  for (let head = control[at.cqHead]!; head !== control[at.cqTail]; count++) {
    const word = at.cqes + (head & reportMask) * wordsOfReport
    const tag = control[word]!
    const result = control[word + 2]!
    const flags = control[word + 3]!
    head = (head + 1) | 0
    control[at.cqHead] = head
    const isMore = (flags & hasMore) !== 0
    if ((flags & hasPiece) === 0) onReport(tag, result, -1, isMore)
    else {
      const piece = flags >>> 16
      onReport(tag, result, placeOf(piece, result), isMore)
      give(ring, piece)
    }
  }
  return count
}

/** Whether reports had no room, and wait for that. */
export function isOverfull({ control, at }: Ring): boolean {
  return (control[at.sqFlags]! & isOverflown) !== 0
}

/** Says whether reports are to be signalled. */
export function signalReports({ control, at }: Ring, isWanted: boolean): void {
  control[at.cqFlags] = isWanted ? 0 : isMuted
}
