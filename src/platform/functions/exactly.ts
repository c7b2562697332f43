import type { Bytes } from './isolate/contract.ts'

/**
 * A body that fails where it is longer or shorter than it is said to be: on a connection that is
 * kept, what is too much would be read as the next message, and what is missing taken from it.
 */
export async function* exactly(body: Bytes, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of body) {
    left -= chunk.length
    if (!(left >= 0)) break
    yield chunk
  }
  if (left !== 0) throw new TypeError('A body is not as long as its Content-Length says.')
}
