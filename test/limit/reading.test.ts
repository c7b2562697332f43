import { expect, test } from 'vitest'
import { countsOf } from '../../src/limit/count.ts'
import { dimensionsOf } from '../../src/limit/dimension.ts'
import { type Edge, readingOf } from '../../src/limit/reading.ts'
import { parseAddress } from '../../src/target/address.ts'

const address = parseAddress('http://127.0.0.1:8080')
const dimensions = dimensionsOf({ method: 'GET', path: '/', headers: [] })

/** Where a target that counts `what`, up to `most`, draws the line in all variants. */
function edges(name: 'url' | 'header' | 'headers' | 'header-count', what: string, most: number) {
  const { question, variants, smallest } = dimensions[name]
  // The same request in two writes has the same counts.
  return variants.slice(0, 2).map((variant): Edge => {
    const counts = (size: number) => countsOf(question(size, variant), address)
    let [size, beyond] = [smallest as number, 2 * most + 64]
    while (beyond - size > 1) {
      const half = (size + beyond) >> 1
      if (counts(half)[what]! <= most) size = half
      else beyond = half
    }
    return { accepted: counts(size), rejected: counts(beyond) }
  })
}

test.each([
  ['url', 'the request target', 8_000, { number: 8_000, isBelow: false }],
  ['url', 'the request line and its end', 8_192, { number: 8_192, isBelow: false }],
  ['url', 'the whole head', 8_191, { number: 8_192, isBelow: true }],
  ['header', "the longest header's value", 4_096, { number: 4_096, isBelow: false }],
  ['header', 'the longest header line and its end', 8_192, { number: 8_192, isBelow: false }],
  ['headers', 'all names and values of headers', 16_384, { number: 16_384, isBelow: false }],
  [
    'headers',
    'all names and values, and 32 for each header',
    10_000,
    { number: 10_000, isBelow: false }
  ],
  [
    'headers',
    'the request target and all names and values of headers',
    16_383,
    { number: 16_384, isBelow: true }
  ],
  ['header-count', 'header fields', 100, { number: 100, isBelow: false }]
] as const)('%s: a target that counts %s up to %i is seen through', (name, what, most, reading) => {
  expect(readingOf(edges(name, what, most))).toEqual({ what, ...reading })
})

test('one count that explains all variants is enough, however odd its number', () => {
  const what = 'all names and values, and 32 for each header'
  expect(readingOf(edges('headers', what, 12_345))).toEqual({
    what,
    number: 12_345,
    isBelow: false
  })
})

test('an odd number that several counts explain tells nothing', () => {
  expect(readingOf(edges('url', 'the request target', 8_123))).toBeUndefined()
  expect(readingOf([])).toBeUndefined()
})

test('lines that no single count explains tell nothing', () => {
  const [long] = edges('url', 'the request target', 8_192) as [Edge]
  const [short] = edges('url', 'the request target', 4_096) as [Edge]
  expect(readingOf([long, short])).toBeUndefined()
})

test('a line that is known already explains what it can', () => {
  const known = { what: 'the request target', number: 8_123, isBelow: false }
  expect(readingOf(edges('url', 'the request target', 8_123), { known: [known] })).toBe(known)
  expect(readingOf(edges('url', 'the request target', 8_122), { known: [known] })).toBeUndefined()
  expect(readingOf(edges('url', 'the request target', 8_124), { known: [known] })).toBeUndefined()
})

test('no line is where a request beyond it was taken', () => {
  const seen = edges('url', 'the request target', 8_192)
  const beyond = { ...seen[0]!.accepted, 'the request target': 8_193 }
  expect(readingOf(seen)).toMatchObject({ number: 8_192 })
  expect(readingOf(seen, { taken: [beyond] })?.what).not.toBe('the request target')
})

test('a whole number of KiB is round, however many', () => {
  const { question, variants } = dimensions.url
  const seen = variants.slice(0, 2).map((variant): Edge => {
    const counts = (size: number) => countsOf(question(size, variant), address)
    return { accepted: counts(82_944), rejected: counts(82_945) }
  })
  expect(readingOf(seen)).toMatchObject({ what: 'the request target', number: 82_944 })
})

test('what HAProxy counts explains all of its lines, and one alone by chance is no proof', () => {
  const what = 'the whole head but Connection, and 4 for each header'
  // That is tune.bufsize less tune.maxrewrite, and what its own form of a head takes.
  const reading = { what, number: 15_281, isBelow: false }
  expect(readingOf(edges('headers', what, 15_281))).toEqual(reading)
  // Where other counts would explain a line as well, it is the one that is known.
  for (const name of ['url', 'header'] as const) {
    expect(readingOf(edges(name, what, 15_281), { known: [reading] })).toEqual(reading)
  }
  const one = { accepted: { [what]: 77 }, rejected: { [what]: 78 } }
  expect(readingOf([one])).toBe(undefined)
  expect(readingOf([one, one])).toMatchObject({ what, number: 77 })
})
