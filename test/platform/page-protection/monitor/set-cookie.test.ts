import { expect, test } from 'vitest'
import { setCookie } from '../../../../src/platform/page-protection/monitor/set-cookie.ts'

const now = Date.UTC(2026, 0, 1)
const asked = { host: 'shop.a.test', path: '/pay/now', now }
const bare = {
  name: 'sid',
  domain: 'shop.a.test',
  path: '/pay',
  expiresMs: undefined,
  maxAgeSeconds: null,
  isHttpOnly: false,
  isSecure: false,
  sameSite: 'lax'
}

test.each([
  ['sid=1', {}],
  [' sid = "a=b" ', {}],
  ['sid=', {}],
  [
    'sid=1; Path=/; Secure; HttpOnly; SameSite=Strict',
    {
      ...{ path: '/', isSecure: true, isHttpOnly: true, sameSite: 'strict' }
    }
  ],
  ['sid=1;PATH=/x;samesite=NONE;secure', { path: '/x', sameSite: 'none', isSecure: true }],
  ['sid=1; SameSite=odd; Path=relative', {}],
  ['sid=1; Domain=.A.test', { domain: 'a.test' }],
  ['sid=1; Max-Age=60', { maxAgeSeconds: 60, expiresMs: now + 60_000 }],
  [
    'sid=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    {
      ...{ maxAgeSeconds: 60, expiresMs: now + 60_000 }
    }
  ],
  ['sid=1; Max-Age=-1', { maxAgeSeconds: -1, expiresMs: now - 1_000 }],
  ['sid=1; Max-Age=x; Expires=Fri, 02 Jan 2026 00:00:00 GMT', { expiresMs: now + 86_400_000 }],
  ['sid=1; Expires=soon', {}],
  [`sid=1; Max-Age=${'9'.repeat(30)}`, { expiresMs: Date.UTC(9999, 11, 31) }]
])('%j', (header, difference) => {
  expect(setCookie(header, asked)).toEqual({ ...bare, ...difference })
})

test.each(['', 'sid', '=1', ';', 'sid=1; Domain=b.test', 'sid=1; Domain=op.a.test'])(
  '%j is no cookie',
  (header) => {
    expect(setCookie(header, asked)).toBeUndefined()
  }
)

test.each([
  ['/', '/'],
  ['/a', '/'],
  ['/a/', '/a'],
  ['/a/b/c', '/a/b']
])('a cookie set at %s is by default for %s', (path, expected) => {
  expect(setCookie('a=b', { ...asked, path })?.path).toBe(expected)
})
