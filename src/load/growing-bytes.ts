/** Bytes put together as they come, in memory that grows with them. */
export type GrowingBytes = {
  size(): number
  add(more: Buffer, from?: number, to?: number): void
  /** What was added, as it lies there: good until more is added. */
  seen(): Buffer
  /** Leaves out the first so many of them, or all; the memory is used again. */
  drop(bytes?: number): void
  /** What was added, as a copy; nothing is left of it, and its memory is given back. */
  taken(): Buffer
}

const smallest = 256

/** Memory that is asked for beyond what is needed at most. */
const mostAhead = 16 * 1_024 * 1_024

/** Nothing, to which bytes can be added. */
export function createGrowingBytes(): GrowingBytes {
  let bytes = Buffer.alloc(0)
  let size = 0
  return {
    size: () => size,
    add(more, from = 0, to = more.length) {
      const needed = size + to - from
      if (bytes.length < needed) {
        const larger = Buffer.allocUnsafeSlow(
          Math.max(smallest, needed + Math.min(needed, mostAhead))
        )
        bytes.copy(larger, 0, 0, size)
        bytes = larger
      }
      more.copy(bytes, size, from, to)
      size = needed
    },
    seen: () => bytes.subarray(0, size),
    drop(dropped = size) {
      bytes.copyWithin(0, dropped, size)
      size -= dropped
    },
    taken() {
      const all = Buffer.from(bytes.subarray(0, size))
      bytes = Buffer.alloc(0)
      size = 0
      return all
    }
  }
}
