/** What is to be written on a connection: the first `size` bytes. */
export type Output = { bytes: Buffer; size: number }

const smallest = 512
const nothing = Buffer.alloc(0)

/** Nothing to be written. */
export function createOutput(): Output {
  return { bytes: nothing, size: 0 }
}

/** Makes room for so many bytes at the end, and returns where they go. */
export function reserve(output: Output, bytes: number): number {
  const at = output.size
  output.size += bytes
  if (output.bytes.length < output.size) {
    const larger = Buffer.allocUnsafeSlow(Math.max(smallest, output.size * 2))
    output.bytes.copy(larger, 0, 0, at)
    output.bytes = larger
  }
  return at
}

/** Adds bytes. */
export function append(output: Output, bytes: Uint8Array): void {
  const at = reserve(output, bytes.length)
  output.bytes.set(bytes, at)
}

/**
 * Hands what there is to `write`, which says whether it is done with the bytes when it returns:
 * where it is not, they stay as they are, and others are used from now on.
 */
export function drain(output: Output, write: (bytes: Buffer) => boolean): void {
  if (output.size === 0) return
  const bytes = output.bytes.subarray(0, output.size)
  output.size = 0
  if (!write(bytes)) output.bytes = nothing
}
