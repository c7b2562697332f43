import fc from 'fast-check'
import { expect, test } from 'vitest'
import { needle } from '../../../src/platform/expression/needle.ts'
import { seeded } from './seeded.ts'

const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), maxLength })

test('a short text is found where indexOf finds it', () => {
  seeded(
    fc.property(letters(4), letters(40), fc.nat(45), (part, value, from) => {
      expect(needle(part)(value, from)).toBe(value.indexOf(part, from))
    })
  )
})

test('so is a long one, in a value so long that the search is our own', () => {
  const filler = 'ab'.repeat(200_000)
  seeded(
    fc.property(letters(20), letters(20), fc.nat(30), (part, around, from) => {
      const text = `b${part}aab${part}b`
      const value = around + filler + text + around
      expect(needle(text)(value, from)).toBe(value.indexOf(text, from))
    }),
    20
  )
})

test.each([
  ['the mismatch in the middle', `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`],
  ['the mismatch at the end', `${'a'.repeat(4_000)}b`],
  ['the mismatch at the beginning', `b${'a'.repeat(4_000)}`]
])('a repetitive text is found at the end of a megabyte: %s', (_, text) => {
  const value = 'a'.repeat(1_000_000) + text
  expect(needle(text)(value, 0)).toBe(value.lastIndexOf(text))
})
