import { expect, test } from 'vitest'
import { inspected } from '../../../src/platform/waf/inspected.ts'

test.each<[uri: string, text: string]>([
  ['/a?b', '/a?b'],
  ['/A+%42', '/a b'],
  ['/%2541', '/a'],
  ['/%252541', '/a'],
  ['/%25252541', '/%41'],
  ['/%zz%', '/%zz%'],
  ['/%C3%A9', '/\xc3\xa9']
])('%s reads %j', (uri, text) => {
  expect(inspected({ 'http.request.uri': uri })['waf.text']).toBe(`${text}\n\n\n`)
})

test('cookies, referer and user agent are lines of their own, and other facts stay', () => {
  const facts = {
    'http.request.uri': '/',
    'http.cookie': 'A=%41',
    'http.referer': 'R+',
    'http.user_agent': 'U'
  }
  expect(inspected(facts)).toMatchObject({ ...facts, 'waf.text': '/\na=a\nr+\nu' })
})

test('facts are only found out when they are asked for', () => {
  const facts = {
    get 'http.cookie'(): string {
      throw new Error('asked')
    }
  }
  const known = inspected(facts)
  expect(() => known['waf.text']).toThrow('asked')
})
