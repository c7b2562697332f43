import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import type { Address } from '../../../src/platform/expression/address.ts'
import { bytes } from '../../../src/platform/expression/bytes.ts'
import type { Facts, Scheme } from '../../../src/platform/expression/scheme.ts'

/** A small scheme with a field of every shape that types come in. */
export const scheme = {
  flag: 'Bool',
  text: 'Bytes',
  count: 'Int',
  address: 'Ip',
  flags: 'Array<Bool>',
  texts: 'Array<Bytes>',
  counts: 'Array<Int>',
  addresses: 'Array<Ip>',
  parts: 'Array<Array<Bytes>>',
  scores: 'Map<Int>',
  headers: 'Map<Array<Bytes>>'
} as const satisfies Scheme

/** Any text, all planes of Unicode included. */
export const anyText = fc.string({
  unit: fc
    .oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      fc.integer({ min: 0, max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0x10ffff })
    )
    .map((code) => String.fromCodePoint(code))
})

/** Any bytes, those that are no UTF-8 included. */
export const anyBytes = fc.oneof(
  anyText.map(bytes),
  fc.uint8Array({ maxLength: 12 }).map((raw) => Buffer.from(raw).toString('latin1'))
)

/** Any whole number of 64 bits. */
export const anyInteger = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
)

/** Any address. */
export const anyAddress: fc.Arbitrary<Address> = fc
  .constantFrom<4 | 6>(4, 6)
  .chain((family) =>
    fc
      .bigInt({ min: 0n, max: (1n << (family === 4 ? 32n : 128n)) - 1n })
      .map((bits) => ({ family, bits }))
  )

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const many = <Value>(value: fc.Arbitrary<Value>) => maybe(fc.array(value, { maxLength: 3 }))
const byName = <Value>(value: fc.Arbitrary<Value>) =>
  maybe(fc.array(fc.tuple(anyBytes, value), { maxLength: 3 }).map((entries) => new Map(entries)))
const integer = anyInteger.map((whole) =>
  Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
)

/** Facts of the scheme, any of which may be missing. */
export const anyFacts: fc.Arbitrary<Facts> = fc.record({
  flag: maybe(fc.boolean()),
  text: maybe(anyBytes),
  count: maybe(integer),
  address: maybe(anyAddress),
  flags: many(fc.boolean()),
  texts: many(anyBytes),
  counts: many(integer),
  addresses: many(anyAddress),
  parts: many(fc.array(anyBytes, { maxLength: 3 })),
  scores: byName(integer),
  headers: byName(fc.array(anyBytes, { maxLength: 3 }))
})
