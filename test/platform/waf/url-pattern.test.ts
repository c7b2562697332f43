import { expect, test } from 'vitest'
import { matcher, patternFault, urlExpression } from '../../../src/platform/waf/url-pattern.ts'

const matches = (pattern: string, url: string) =>
  matcher(urlExpression(pattern))({ 'http.request.full_uri': url })

test.each<[pattern: string, url: string, isMeant: boolean]>([
  ['a.test/x', 'http://a.test/x', true],
  ['a.test/x', 'https://a.test/x', true],
  ['https://a.test/x', 'http://a.test/x', false],
  ['a.test/x', 'http://a.test/xy', false],
  ['a.test/x*', 'http://a.test/xy?z', true],
  ['a.test/x**', 'http://a.test/xy', true],
  ['*a.test/*', 'http://www.a.test/', true],
  ['A.TEST/x', 'http://a.test/x', true],
  ['a.test/"\\', 'http://a.test/"\\', true],
  ['a.test/?q', 'http://a.test/?q', true],
  ['a.test/?q', 'http://a.test/aq', false]
])('%s and %s: %s', (pattern, url, isMeant) => {
  expect(patternFault(pattern)).toBeUndefined()
  expect(matches(pattern, url)).toBe(isMeant)
})

test.each([
  ['', 'characters'],
  ['x'.repeat(1_001), 'characters'],
  ['a b', 'spaces'],
  ['é', 'ASCII']
])('%j is no pattern', (pattern, fault) => {
  expect(patternFault(pattern)).toContain(fault)
})

test('what does not parse matches nothing', () => {
  expect(matcher('no expression')({})).toBe(false)
})
