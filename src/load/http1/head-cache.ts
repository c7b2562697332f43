/** What a head says of the response it begins, as far as a parser needs it to go on. */
export type Said<Expects> = {
  expects: Expects
  status: number
  minor: number
  keepAlive: boolean
  left: number
}

/**
 * The last head that was read. Servers say the same again and again, with a date that changes once
 * a second: a head that is byte for byte the last one need not be read, only compared.
 */
export type HeadCache<Expects> = {
  /** Length of the head; 0 without one. */
  length: number
  known: Buffer
  knownView: DataView
  /** The buffer that was compared last, which mostly is the one to be compared next. */
  bytes: Buffer
  view: DataView
  said: Said<Expects>
}

/** Heads longer than this are read each time; most are a tenth of it. */
const longest = 4 * 1_024

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length)

/** A memory that knows no head yet. */
export function createHeadCache<Expects>(expects: Expects): HeadCache<Expects> {
  const known = Buffer.alloc(longest)
  const view = viewOf(known)
  const said = { expects, status: 0, minor: 1, keepAlive: true, left: 0 }
  return { length: 0, known, knownView: view, bytes: known, view, said }
}

/** Whether what lies between `at` and `end` begins with the known head. */
export function isCached(
  headCache: HeadCache<unknown>,
  bytes: Buffer,
  at: number,
  end: number
): boolean {
  const { length, known, knownView } = headCache
  if (length === 0 || end - at < length) return false
  if (headCache.bytes !== bytes) {
    headCache.bytes = bytes
    headCache.view = viewOf(bytes)
  }
  const { view } = headCache
  const words = length & ~3
  for (let index = 0; index < words; index += 4) {
    if (view.getInt32(at + index) !== knownView.getInt32(index)) return false
  }
  for (let index = words; index < length; index++) {
    if (bytes[at + index] !== known[index]) return false
  }
  return true
}

/** Makes the bytes between `at` and `to` the known head. */
export function remember<Expects>(
  headCache: HeadCache<Expects>,
  bytes: Buffer,
  at: number,
  to: number,
  { expects, status, minor, keepAlive, left }: Said<Expects>
): void {
  headCache.length = to - at <= longest ? to - at : 0
  bytes.copy(headCache.known, 0, at, to)
  headCache.said = { expects, status, minor, keepAlive, left }
}
