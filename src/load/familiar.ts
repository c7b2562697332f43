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
export type Familiar<Expects> = {
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
export function createFamiliar<Expects>(expects: Expects): Familiar<Expects> {
  const known = Buffer.alloc(longest)
  const view = viewOf(known)
  const said = { expects, status: 0, minor: 1, keepAlive: true, left: 0 }
  return { length: 0, known, knownView: view, bytes: known, view, said }
}

/** Whether what lies between `at` and `end` begins with the known head. */
export function isFamiliar(
  familiar: Familiar<unknown>,
  bytes: Buffer,
  at: number,
  end: number
): boolean {
  const { length, known, knownView } = familiar
  if (length === 0 || end - at < length) return false
  if (familiar.bytes !== bytes) {
    familiar.bytes = bytes
    familiar.view = viewOf(bytes)
  }
  const { view } = familiar
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
  familiar: Familiar<Expects>,
  bytes: Buffer,
  at: number,
  to: number,
  { expects, status, minor, keepAlive, left }: Said<Expects>
): void {
  familiar.length = to - at <= longest ? to - at : 0
  bytes.copy(familiar.known, 0, at, to)
  familiar.said = { expects, status, minor, keepAlive, left }
}
