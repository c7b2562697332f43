import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wildcard, wildcardFault } from '../../../src/platform/expression/wildcard.ts'
import { seeded } from './seeded.ts'

test.each<[pattern: string, value: string, stars: string[] | undefined]>([
  ['', '', []],
  ['', 'a', undefined],
  ['abc', 'abc', []],
  ['abc', 'abcd', undefined],
  ['*', '', ['']],
  ['*', 'anything', ['anything']],
  ['a*', 'abc', ['bc']],
  ['*c', 'abc', ['ab']],
  ['a*a', 'a', undefined],
  ['a*a', 'aa', ['']],
  ['*b*', 'abcb', ['a', 'cb']],
  ['*.example.com/*/page.html', 'x.example.com/a/b/page.html', ['x', 'a/b']],
  ['https://example.com/a/*', 'https://example.com/a/', ['']],
  ['https://example.com/a/*', 'https://example.com/ab/', undefined],
  ['a?c', 'a?c', []],
  ['a?c', 'abc', undefined],
  ['foo*\\*\\\\', 'foo*\\', ['']],
  ['foo*\\*\\\\', 'foobarmumble*\\', ['barmumble']],
  ['foo*\\*\\\\', 'foobarmumble\\', undefined],
  ['*ab*ba*', 'aba', undefined],
  ['*\n*', 'a\nb', ['a', 'b']]
])('%j and %j', (pattern, value, stars) => {
  expect(wildcardFault(pattern)).toBeUndefined()
  expect(wildcard(pattern, 'strict').stars(value)).toEqual(stars)
  expect(wildcard(pattern, 'strict').matches(value)).toBe(stars !== undefined)
})

test('case matters only when it is said to, and only in ASCII', () => {
  expect(wildcard('Foo*', 'ignored').stars('fOOBar')).toEqual(['Bar'])
  expect(wildcard('Foo*', 'strict').matches('fOOBar')).toBe(false)
  expect(wildcard('\xc3\x89', 'ignored').matches('\xc3\xa9')).toBe(false)
})

test.each([
  ['**', 'two stars in a row'],
  ['a**b', 'two stars in a row'],
  ['a\\\\**', 'two stars in a row'],
  ['\\', 'a backslash escapes neither * nor \\'],
  ['a\\b', 'a backslash escapes neither * nor \\'],
  ['\\?', 'a backslash escapes neither * nor \\']
])('%j is no wildcard: %s', (pattern, fault) => {
  expect(wildcardFault(pattern)).toBe(fault)
})

test('an escaped star next to a star is not two of them', () => {
  expect(wildcardFault('\\**')).toBeUndefined()
  expect(wildcard('\\**', 'strict').stars('*x')).toEqual(['x'])
})

test('a wildcard matches what the lazy regular expression of the same shape matches', () => {
  const part = fc.constantFrom('a', 'b', '*')
  const pattern = fc
    .array(part, { maxLength: 8 })
    .map((parts) => parts.join('').replace(/\*+/g, '*'))
  const value = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  seeded(
    fc.property(pattern, value, (shape, text) => {
      const groups = new RegExp(`^${shape.replaceAll('*', '(.*?)')}$`).exec(text)?.slice(1)
      expect(wildcard(shape, 'strict').stars(text)).toEqual(groups)
    }),
    500
  )
})
