import { pieceGroup, type Ring } from './ring.ts'
import { calls } from './system.ts'

const operations = { timeout: 11, cancel: 14, send: 26, receive: 27 }
const [withPieces, silentSuccess] = [1 << 5, 1 << 6]
const multishot = 1 << 1
const [dontWait, waitAll, noSignal] = [0x40, 0x100, 0x4000]
const everything = (1 << 0) | (1 << 2)
const wordsOfOrder = 16

/** Where in the limits' memory the limit of a wake is. */
const wakeAt = 16

/** What an order is about; what has no meaning to it is 0. */
type Order = { fd: number; address: number; size: number; flags: number; group: number }
const about = { fd: -1, address: 0, size: 0, flags: 0, group: 0 }

/** How many orders have not been handed over. */
export function waiting({ control, at, tail }: Ring): number {
  return (tail - control[at.sqHead]!) | 0
}

/** Hands orders over. */
export function submit(ring: Ring): void {
  const count = waiting(ring)
  if (count === 0) return
  ring.control[ring.at.sqTail] = ring.tail
  ring.system.call(calls.enter, ring.fd, count, 0, 0, 0, 0)
}

function put(ring: Ring, tag: number, what: number, order: Order): void {
  if (waiting(ring) > ring.orderMask) submit(ring)
  if (waiting(ring) > ring.orderMask) throw new Error('the kernel takes no more orders')
  const { orders } = ring
  const word = (ring.tail & ring.orderMask) * wordsOfOrder
  orders[word] = what
  orders[word + 1] = order.fd
  orders[word + 2] = 0
  orders[word + 3] = 0
  orders[word + 4] = order.address | 0
  orders[word + 5] = Math.floor(order.address / 2 ** 32)
  orders[word + 6] = order.size
  orders[word + 7] = order.flags
  orders[word + 8] = tag
  orders[word + 9] = 0
  orders[word + 10] = order.group
  for (let rest = word + 11; rest < word + wordsOfOrder; rest++) orders[rest] = 0
  ring.tail = (ring.tail + 1) | 0
}

/** Orders all that arrives, until the connection ends or that is taken back. */
export function receive(ring: Ring, fd: number, tag: number): void {
  const what = operations.receive | (withPieces << 8) | (multishot << 16)
  put(ring, tag, what, { ...about, fd, group: pieceGroup })
}

function addressOf({ last, system }: Ring, bytes: Buffer): number {
  if (last.bytes !== bytes) {
    last.bytes = bytes
    last.from = system.addressOf(bytes)
  }
  return last.from
}

/**
 * Orders bytes to be sent at once, as far as there is room: the kernel needs them until they are
 * handed over and not longer. Only what was not sent whole is reported.
 */
export function send(ring: Ring, fd: number, bytes: Buffer, tag: number): void {
  const address = addressOf(ring, bytes)
  const flags = dontWait | waitAll | noSignal
  const order = { fd, address, size: bytes.length, flags, group: 0 }
  put(ring, tag, operations.send | (silentSuccess << 8), order)
}

/** Orders bytes to be sent as there is room; the kernel needs them until it reports. */
export function sendInTime(ring: Ring, fd: number, bytes: Buffer, tag: number): void {
  const address = ring.system.addressOf(bytes)
  const flags = waitAll | noSignal
  put(ring, tag, operations.send, { ...about, fd, address, size: bytes.length, flags })
}

/** Takes an order back; how that went is reported under another tag, unless it went well. */
export function cancel(ring: Ring, ordered: number, tag: number): void {
  put(ring, tag, operations.cancel | (silentSuccess << 8), { ...about, address: ordered })
}

/** Takes all orders back. */
export function cancelAll(ring: Ring, tag: number): void {
  put(ring, tag, operations.cancel, { ...about, flags: everything })
}

/** Orders a report after so many milliseconds. */
export function wake(ring: Ring, ms: number, tag: number): void {
  writeLimit(ring, wakeAt, ms)
  const address = ring.limitsFrom + wakeAt * 4
  put(ring, tag, operations.timeout, { ...about, address, size: 1 })
  // The limit is read as it is handed over, and the next one is written to the same place.
  submit(ring)
}

/** Writes a span of time as the kernel reads it. */
export function writeLimit({ limits }: Ring, at: number, ms: number): void {
  const seconds = Math.floor(ms / 1_000)
  limits[at] = seconds
  limits[at + 1] = 0
  limits[at + 2] = Math.max(0, Math.round((ms - seconds * 1_000) * 1e6))
  limits[at + 3] = 0
}
