import { expect, test } from 'vitest'
import { liesWithin, readPattern } from '../../../src/platform/functions/pattern.ts'

test.each([
  ['example.test/a', { host: 'example.test', path: '/a' }],
  ['example.test', { host: 'example.test', path: '/' }],
  ['example.test/*', { host: 'example.test', pathPrefix: '/' }],
  ['example.test/a*', { host: 'example.test', pathPrefix: '/a' }],
  ['https://Example.test/A/*', { host: 'example.test', pathPrefix: '/A/' }],
  ['*://example.test/a', { host: 'example.test', path: '/a' }],
  ['*.example.test/*', { hostSuffix: '.example.test', pathPrefix: '/' }],
  ['*example.test/', { hostSuffix: 'example.test', path: '/' }]
])('%s', (text, parts) => {
  const nothing = { host: null, hostSuffix: null, path: null, pathPrefix: null }
  expect(readPattern(text)).toEqual({ ...nothing, ...parts })
})

test.each(['', '/a', 'example.test*', 'a.*.test/', 'example.test/*/a', 'example.test/a?b', '*/a'])(
  '"%s" is no pattern',
  (text) => {
    expect(() => readPattern(text)).toThrow(/is no pattern/)
  }
)

test.each([
  ['example.test/*', true],
  ['shop.example.test/*', true],
  ['*.example.test/*', true],
  ['*example.test/*', true],
  ['badexample.test/*', false],
  ['*.test/*', false],
  ['other.test/*', false]
])('%s within example.test: %s', (text, isWithin) => {
  expect(liesWithin(readPattern(text), 'example.test')).toBe(isWithin)
})
