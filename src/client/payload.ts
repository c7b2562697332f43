import { createHash, type Hash } from 'node:crypto'
import { random } from '../random.ts'

// The pattern repeats after an odd number of bytes, so a buffer that a target drops, doubles or
// swaps (their sizes are powers of two) always moves what follows it and changes the digest.
const size = 2 ** 18 - 1

let made: Buffer | undefined

/** The pattern, made when it is first asked for: what only reads scenarios sends no bodies. */
function wholePattern(): Buffer {
  if (made) return made
  const next = random(0, 'payload')
  made = Buffer.alloc(size)
  for (let at = 0; at < size; at++) made[at] = next() * 256
  return made
}

/** Hashes begun and not ended, by the number of payload bytes they have taken in. */
const begun = new Map<number, Hash>()

/**
 * The payload's bytes from `start` on: at most `bytes`, and fewer where the pattern starts again.
 * The buffer is a view of the pattern and must not be written to.
 */
export function payload(start: number, bytes: number): Buffer {
  const offset = start % size
  return wholePattern().subarray(offset, Math.min(size, offset + bytes))
}

/**
 * SHA-256, as lower-case hex, of the first `bytes` bytes of every body that `send` makes. Lengths
 * that were asked for before are a start, so a length and its neighbours cost one pass together.
 */
export function digest(bytes: number): string {
  const start = Math.max(0, ...[...begun.keys()].filter((length) => length <= bytes))
  const hash = begun.get(start)?.copy() ?? createHash('sha256')
  for (let at = start; at < bytes; ) {
    const part = payload(at, bytes - at)
    hash.update(part)
    at += part.length
  }
  begun.set(bytes, hash)
  return hash.copy().digest('hex')
}
