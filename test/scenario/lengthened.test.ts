import { expect, test } from 'vitest'
import { lengthened } from '../../src/scenario/lengthened.ts'

const dotted = (text: string) => text.split('.').every((label) => /^[a-z]{1,63}$/.test(label))

test.each<[text: string, length: number, keeps: (text: string) => boolean]>([
  ['www.example.org', 253, dotted],
  ['hello', 12, (text) => !/(.)\1\1/.test(text)],
  ['the quick brown fox', 200, (text) => text.split(' ').length > 10],
  ['{"a":1}', 100, (text) => typeof JSON.parse(text) === 'object'],
  ['+4930123456', 16, (text) => /^\+[1-9]\d+$/.test(text)],
  ['0 0 * * *', 60, (text) => text.split(' ').length === 5],
  ['1.2.3', 20, (text) => /^\d+\.\d+\.\d+$/.test(text)],
  ['Passw0rd!x', 64, (text) => /[A-Z]/.test(text) && /\d/.test(text) && text.includes('!')],
  ['jo@example.com', 60, (text) => /^[^@]+@[^@]+$/.test(text) && dotted(text.split('@')[1]!)],
  ['***', 5, (text) => text === '*****'],
  ['größe', 9, (text) => /^[größe]+$/.test(text)]
])('one of the longer texts of %j keeps its shape', (text, length, keeps) => {
  const found = lengthened(text, length)
  expect(found.map((one) => [...one].length)).toEqual(found.map(() => length))
  expect(found.filter(keeps).length).toBeGreaterThan(0)
})

test('a text that is as long already stays what it is', () => {
  expect(lengthened('abc', 3)).toEqual(['abc'])
  expect(lengthened('a.b.c', 2)).toEqual(['a.b.c'])
})
