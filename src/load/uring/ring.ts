import { calls, type Mapped, type System, Unavailable } from './system.ts'

/**
 * How many orders can wait to be handed over, and reports to be taken in: few, since they take
 * locked memory, of which unprivileged users have 8 MiB for all that they run.
 */
const [orderPlaces, reportPlaces] = [256, 1_024]
const [orderBytes, reportBytes] = [64, 16]

/**
 * What everything arrives in: so many pieces of so many bytes. Were these a power of two, the
 * beginnings of all pieces would share a few lines of the processor's cache.
 */
const [pieces, pieceBytes] = [256, 16 * 1_024 + 320]

/** The number of the group of pieces that receivers take from. */
export const pieceGroup = 1

/** `struct io_uring_params`, in words, and what it says where to find. */
const params = { words: 30, cqEntries: 1, flags: 2, features: 5, sq: 10, cq: 20 }
const [headAt, tailAt, maskAt, flagsAt] = [0, 1, 2, 4]
const [cqesAt, cqFlagsAt] = [5, 6]
const ordersOffset = 0x10000000

/**
 * Own size of the completion queue, cut to what there can be, all orders are handed over whatever
 * becomes of one, work is done for one thread only and when that asks, no array of numbers.
 */
const setupFlags = (1 << 3) | (1 << 4) | (1 << 7) | (1 << 12) | (1 << 13) | (1 << 16)
/** One mapping, no report is dropped, waits have a limit. */
const neededFeatures = (1 << 0) | (1 << 1) | (1 << 8)
const [registerEventFd, registerPieces] = [4, 22]
const pageBytes = 4_096

/**
 * Orders to the kernel and its reports, and all memory of which it is told: the one owner of it.
 * The kernel writes to it only while this thread enters it, and to pieces that were given to it.
 */
export type Ring = {
  system: System
  fd: number
  owned: Mapped[]
  /** Heads, tails and reports, and what orders are written to, as words. */
  control: Int32Array
  orders: Int32Array
  /** Where in `control` these are. */
  at: Record<'sqHead' | 'sqTail' | 'sqFlags' | 'cqHead' | 'cqTail' | 'cqFlags' | 'cqes', number>
  orderMask: number
  reportMask: number
  /** Of orders, those not handed over included. */
  tail: number
  /** Everything that arrives lies in here, until the receiver of its report has returned. */
  arrivals: Buffer
  /** Pieces that the kernel may write to, as it sees them. */
  given: { words: Uint32Array; halves: Uint16Array; tail: number; from: number }
  /** Where limits of waiting are written, and where that is. */
  limits: Int32Array
  limitsFrom: number
  /** The bytes that were sent last, which mostly are the next ones too, and where they are. */
  last: { bytes: Buffer | undefined; from: number }
}

/** Opens a ring that signals to that file; throws an `Unavailable` where the system gives none. */
export function openRing(system: System, eventFd: number): Ring {
  const { fd, told } = setUp(system)
  const owned: Mapped[] = []
  const map: System['map'] = (...given) => {
    const mapped = system.map(...given)
    owned.push(mapped)
    return mapped
  }
  try {
    return mapRing(system, { fd, told, owned, map, eventFd })
  } catch (error) {
    system.close(fd)
    for (const mapped of owned) system.unmap(mapped)
    throw error
  }
}

function setUp(system: System): { fd: number; told: Int32Array } {
  const told = new Int32Array(params.words)
  told[params.cqEntries] = reportPlaces
  told[params.flags] = setupFlags
  const fd = system.call(calls.setup, orderPlaces, system.addressOf(told), 0, 0, 0, 0)
  if (fd < 0) throw new Unavailable(refusal(system.nameOf(-fd)))
  if ((told[params.features]! & neededFeatures) === neededFeatures) return { fd, told }
  system.close(fd)
  throw new Unavailable(refusal('EINVAL'))
}

function refusal(name: string): string {
  if (name === 'ENOSYS') return 'this kernel has no io_uring (ENOSYS)'
  if (name === 'EINVAL') return 'io_uring of this kernel is too old: Linux 6.6 or later (EINVAL)'
  if (name === 'EPERM' || name === 'EACCES') return `this system permits no io_uring (${name})`
  if (name === 'ENOMEM') return 'io_uring gets no locked memory: raise `ulimit -l` (ENOMEM)'
  return `io_uring cannot be set up (${name})`
}

function register(
  { fd, system }: Pick<Ring, 'fd' | 'system'>,
  kind: number,
  memory: Int32Array
): void {
  const result = system.call(calls.register, fd, kind, system.addressOf(memory), 1, 0, 0)
  if (result < 0) throw new Unavailable(refusal(system.nameOf(-result)))
}

type Parts = {
  fd: number
  told: Int32Array
  owned: Mapped[]
  map: System['map']
  eventFd: number
}

function mapRing(system: System, { fd, told, owned, map, eventFd }: Parts): Ring {
  const word = (group: 'sq' | 'cq', at: number) => told[params[group] + at]! >>> 2
  const bytes = told[params.cq + cqesAt]! + told[params.cqEntries]! * reportBytes
  const control = new Int32Array(map(Math.max(bytes, pageBytes), { fd, offset: 0 }).memory)
  const orders = map(told[0]! * orderBytes, { fd, offset: ordersOffset })
  const given = map(pieces * reportBytes)
  const limits = map(pageBytes)
  const arrivals = map(pieces * pieceBytes)
  const tail = word('sq', tailAt)
  const ring: Ring = {
    ...{ system, fd, owned, control },
    orders: new Int32Array(orders.memory),
    at: {
      ...{ sqHead: word('sq', headAt), sqTail: tail, sqFlags: word('sq', flagsAt) },
      ...{ cqHead: word('cq', headAt), cqTail: word('cq', tailAt) },
      ...{ cqFlags: word('cq', cqFlagsAt), cqes: word('cq', cqesAt) }
    },
    orderMask: control[word('sq', maskAt)]!,
    reportMask: control[word('cq', maskAt)]!,
    tail: control[tail]!,
    arrivals: Buffer.from(arrivals.memory),
    given: {
      words: new Uint32Array(given.memory),
      halves: new Uint16Array(given.memory),
      ...{ tail: 0, from: arrivals.address }
    },
    limits: new Int32Array(limits.memory),
    limitsFrom: limits.address,
    last: { bytes: undefined, from: 0 }
  }
  register(ring, registerEventFd, Int32Array.of(eventFd))
  const [low, high] = halvesOf(given.address)
  register(ring, registerPieces, Int32Array.of(low, high, pieces, pieceGroup, 0, 0, 0, 0, 0, 0))
  for (let piece = 0; piece < pieces; piece++) give(ring, piece)
  return ring
}

/** An address in two words. */
export function halvesOf(address: number): [low: number, high: number] {
  return [address | 0, Math.floor(address / 2 ** 32)]
}

/** Lets the kernel write to a piece. */
export function give({ given }: Ring, piece: number): void {
  const place = given.tail & (pieces - 1)
  const from = given.from + piece * pieceBytes
  given.words[place * 4] = from >>> 0
  given.words[place * 4 + 1] = Math.floor(from / 2 ** 32)
  given.words[place * 4 + 2] = pieceBytes
  given.halves[place * 8 + 6] = piece
  given.tail = (given.tail + 1) & 0xffff
  // The first entry's last half is how far they go.
  given.halves[7] = given.tail
}

/** Where in `arrivals` a piece with so many bytes in it begins; throws for what cannot be. */
export function placeOf(piece: number, bytes: number): number {
  if (piece < pieces && bytes <= pieceBytes) return piece * pieceBytes
  throw new Error(`the kernel says that ${bytes} bytes came in piece ${piece}`)
}

/**
 * Ends a ring. Its memory is given back where all orders are known to be over; else the kernel may
 * still write to it, and it is left alone for good.
 */
export function closeRing(ring: Ring, { isOver }: { isOver: boolean }): void {
  ring.system.close(ring.fd)
  if (isOver) for (const mapped of ring.owned) ring.system.unmap(mapped)
  else abandoned.push(ring)
}

/** Memory that is not collected since the kernel may still write to it. */
const abandoned: Ring[] = []
