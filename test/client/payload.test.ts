import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digest, payload } from '../../src/client/payload.ts'

/** The whole payload of a length, put together from parts of a size. */
function whole(bytes: number, partBytes: number): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes; at += parts.at(-1)!.length) {
    parts.push(payload(at, Math.min(partBytes, bytes - at)))
  }
  return Buffer.concat(parts)
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test.each([1_000_001, 0, 1, 262_143, 262_144, 1_000_000, 999_999, 262_142, 1_000_001])(
  'the digest of %i bytes is that of the payload, whatever was asked before',
  (bytes) => {
    expect(digest(bytes)).toBe(sha256(whole(bytes, 262_144)))
  }
)

test('the payload is the same however it is cut', () => {
  expect(whole(600_000, 16_384).equals(whole(600_000, 7_001))).toBe(true)
})

test('a part never goes beyond what was asked', () => {
  expect(payload(262_140, 10).length).toBe(3)
  expect(payload(262_143, 10)).toEqual(payload(0, 10))
})

test('a buffer lost, doubled or swapped changes the digest', () => {
  const good = whole(1_048_576, 65_536)
  const part = (nth: number) => good.subarray(nth * 65_536, (nth + 1) * 65_536)
  const swapped = Buffer.concat([part(1), part(0), good.subarray(131_072)])
  const doubled = Buffer.concat([part(0), part(0), good.subarray(131_072)])
  const lost = good.subarray(65_536)
  const digests = [good, swapped, doubled, lost].map(sha256)
  expect(new Set(digests).size).toBe(4)
  expect(digests[0]).toBe(digest(1_048_576))
  // Four buffers of 64 KiB are one byte more than the pattern: what follows has moved.
  expect(part(4).equals(part(0))).toBe(false)
})
