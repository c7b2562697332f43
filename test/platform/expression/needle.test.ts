import { expect, test } from 'vitest'
import { needle, steadyNeedle } from '../../../src/platform/expression/needle.ts'

/** All texts of two letters, up to a length. */
function texts(longest: number): string[] {
  if (longest === 0) return ['']
  const shorter = texts(longest - 1)
  const longer = shorter.filter(({ length }) => length === longest - 1)
  return [...shorter, ...longer.flatMap((text) => [`${text}a`, `${text}b`])]
}

test('a text is found where indexOf finds it', () => {
  const values = texts(9)
  for (const part of texts(5)) {
    const find = needle(part)
    const wrong = values.filter((value) => find(value, 0) !== value.indexOf(part))
    expect(wrong).toEqual([])
  }
})

test('so it is without ever going back in the value', () => {
  const values = texts(9)
  for (const part of texts(5).slice(1)) {
    const find = steadyNeedle(part)
    const wrong = values.filter((value) =>
      [0, 1, 2].some((from) => find(value, from) !== value.indexOf(part, from))
    )
    expect(wrong).toEqual([])
  }
})

test.each([
  ['the mismatch in the middle', `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`],
  ['the mismatch at the end', `${'a'.repeat(4_000)}b`],
  ['the mismatch at the beginning', `b${'a'.repeat(4_000)}`]
])('a repetitive text is found at the end of a megabyte: %s', (_, text) => {
  const value = 'a'.repeat(1_000_000) + text
  expect(needle(text)(value, 0)).toBe(value.lastIndexOf(text))
})
