import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Boundary } from '../../../src/limit/boundary.ts'
import type { Limit } from '../../../src/limit/limit.ts'
import { numberLine } from '../../../src/report/html/number-line.ts'
import { boundary } from '../../verdict/boundaries.ts'

const kilobytes: Limit = { clause: 'a', max: 16_000, unit: 'bytes', readings: [16_000, 16_384] }

/** Where the answers stand, in percent of the width, by the value they are titled with. */
function marks(limit: Limit, drawn: Boundary) {
  const { markup } = numberLine({ limit, boundary: drawn })
  const pattern =
    /class="asked ([\w ]+)" x="([-\d.]+)%" y="([\d.]+)" overflow="visible">\n<title>([\d,]+) /g
  return [...markup.matchAll(pattern)].map(([, manner, x, y, value]) => ({
    manner,
    x: Number(x),
    y: Number(y),
    value: Number(value!.replaceAll(',', ''))
  }))
}

test('the boundary is in the middle, what is accepted left of it and what is refused right', () => {
  const drawn = marks(kilobytes, boundary('found', '1+ 16000+ 16384+ 16385- 32000! 16384+ 16385-'))
  expect(drawn).toHaveLength(7)
  for (const { manner, x } of drawn) expect(x < 50).toBe(manner === 'accepted')
  expect(drawn.filter((one) => one.manner === 'rejected improper').map((one) => one.value)).toEqual(
    [32_000]
  )
})

test('answers to one value are stacked, none hides another', () => {
  const drawn = marks(kilobytes, boundary('unclear', '16000+ 16000- 16000? 16000+'))
  expect(new Set(drawn.map((one) => one.x)).size).toBe(1)
  expect(new Set(drawn.map((one) => one.y)).size).toBe(4)
})

test.each([
  ['found', '16384+ 16385-', '16,384 bytes accepted, 16,385 refused'],
  ['unlimited', '1+ 64000+', 'everything up to 64,000 bytes accepted'],
  ['closed', '1!', 'nothing accepted'],
  ['unclear', '1? 2?', 'no clear boundary']
] as const)('%s is said in words, too', (kind, asked, text) => {
  const { markup } = numberLine({ limit: kilobytes, boundary: boundary(kind, asked) })
  expect(markup).toContain(`aria-label="${text}"`)
})

test('whatever was asked, larger values stand further right and all of them on the page', () => {
  const kinds = fc.constantFrom<Boundary['kind']>('found', 'unlimited', 'closed', 'unclear')
  const words = fc.array(
    fc.tuple(fc.oneof(fc.nat(5), fc.nat(600_000_000)), fc.constantFrom(...'+-!?')),
    { minLength: 1, maxLength: 20 }
  )
  fc.assert(
    fc.property(kinds, words, (kind, asked) => {
      const notation = `0+ 900000000- ${asked.map(([value, sign]) => `${value}${sign}`).join(' ')}`
      const drawn = boundary(kind, notation)
      expect(numberLine({ limit: kilobytes, boundary: drawn }).markup).not.toContain('NaN')
      const sorted = marks(kilobytes, drawn).toSorted((one, other) => one.value - other.value)
      expect(sorted).toHaveLength(asked.length + 2)
      const places = sorted.map((one) => one.x)
      expect(places).toEqual(places.toSorted((one, other) => one - other))
      expect(places.every((x) => x >= 0 && x <= 100)).toBe(true)
    }),
    { seed: 10, numRuns: 200 }
  )
})

test('each kind of mark that there is has its meaning, once', () => {
  const { markup } = numberLine({ limit: kilobytes, boundary: boundary('found', '1+ 2+ 9! 9-') })
  const keys = [...markup.matchAll(/key-mark asked ([\w ]+)".*?<\/svg> ([^<]+)</gs)]
  expect(keys.map(([, manner, meaning]) => [manner, meaning])).toEqual([
    ['accepted', 'accepted'],
    ['rejected', 'refused'],
    ['rejected improper', 'refused, but not as it should be']
  ])
})
