import { expect, test } from 'vitest'
import { bytes, parseExpression } from '../../../../src/platform/expression/expression.ts'
import { scheme } from '../arbitrary-value.ts'
import { call } from './call.ts'

test.each<[source: string, value: string]>([
  ['"/foo/bar", "/bar$", "/baz"', '/foo/baz'],
  ['"/x", "^/y$", "/mumble"', '/x'],
  ['"/foo", "^/FOO$", "/x"', '/foo'],
  ['"/a/a", "/a", "/b"', '/b/a'],
  ['"/b", "^/b$", "/b$$"', '/b$'],
  [`"/foo/a/path", "^/foo/([^/]*)/(.*)$", "/bar/\${2}/\${1}"`, '/bar/path/a'],
  [`"ab", "(a)(x)?", "[\${0}\${1}\${2}\${3}]"`, '[aa]b'],
  [`"a", "a", "$1 \${x} $"`, `$1 \${x} $`],
  [`"a", "a", "$$\${0}"`, '$a'],
  ['"a\\\\b", "\\\\\\\\", "/"', 'a/b'],
  ['"a\\\\b", r"\\\\", "/"', 'a/b'],
  ['"naïve", "ï", "i"', 'naive'],
  [`"naïve", "(?u)a(.)", "\${1}"`, bytes('nïve')],
  ['"abc", "", "x"', 'xabc']
])('regex_replace(%s)', (source, value) => {
  expect(call(`regex_replace(${source})`)).toBe(value)
})

test.each<[text: string, source: string, value: string]>([
  [
    'https://apps.example.com/calendar/admin?expand=true',
    `"https://*.example.com/*/*", "https://example.com/\${1}/\${2}/\${3}"`,
    'https://example.com/apps/calendar/admin?expand=true'
  ],
  [
    'https://example.com/applications/app1',
    `"/applications/*", "/apps/\${1}"`,
    'https://example.com/applications/app1'
  ],
  ['/calendar', `"/*", "/apps/\${1}"`, '/apps/calendar'],
  ['/Apps/calendar', `"/apps/*", "/\${1}"`, '/calendar'],
  ['/Apps/calendar', `"/apps/*", "/\${1}", "s"`, '/Apps/calendar'],
  ['/apps/calendar', `"/apps/*", "/\${1}", "s"`, '/calendar'],
  ['/apps/calendar/login', `"/apps/*/login", "/\${1}/login"`, '/calendar/login'],
  ['/a*b', `"/a\\\\*b", "$$\${0}"`, '$/a*b']
])('of %s wildcard_replace(text, %s)', (text, source, value) => {
  expect(call(`wildcard_replace(text, ${source})`, { text })).toBe(value)
})

test('a replacement may refer to groups eight times', () => {
  const source = (times: number) =>
    `regex_replace(text, "(a)", "$$${`\${1}`.repeat(times)}") eq "a"`
  expect(parseExpression(source(8), { scheme }).ok).toBe(true)
  expect(parseExpression(source(9), { scheme })).toMatchObject({
    failure: { reason: 'argument 3 of regex_replace may refer to groups 8 times only' }
  })
})
