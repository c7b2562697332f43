import { expect, test } from 'vitest'
import {
  destination,
  redirected
} from '../../../../../src/platform/functions/isolate/host/redirect.ts'
import type { CallMessage } from '../../../../../src/platform/functions/isolate/message.ts'

const headers: [string, string][] = [
  ['Authorization', 'secret'],
  ['Content-Type', 'text/plain'],
  ['X-Own', '1']
]
const callOf = (method: string, rest: Partial<CallMessage> = {}): CallMessage => ({
  ...{ t: 'call', call: 1, invocation: 1, service: 'fetch', method: 'fetch', id: '' },
  args: [{ method, url: 'http://a.test/x', headers }, { redirect: 'follow' }],
  ...{ bytes: new Uint8Array(1), hasBody: false, ...rest }
})

test.each([
  { method: 'POST', status: 301, becomes: 'GET' },
  { method: 'POST', status: 302, becomes: 'GET' },
  { method: 'PUT', status: 302, becomes: 'PUT' },
  { method: 'PUT', status: 303, becomes: 'GET' },
  { method: 'HEAD', status: 303, becomes: 'HEAD' },
  { method: 'POST', status: 307, becomes: 'POST' },
  { method: 'POST', status: 308, becomes: 'POST' }
])('after a $status a $method becomes a $becomes', ({ method, status, becomes }) => {
  const next = redirected(callOf(method), { status, location: '/y' })
  expect(next.args[0]).toMatchObject({ method: becomes, url: 'http://a.test/y' })
  const keeps = becomes === method
  expect(next.bytes !== undefined).toBe(keeps)
  expect(next.args[0].headers.some(([name]: [string]) => name === 'Content-Type')).toBe(keeps)
})

test('another origin gets no credentials', () => {
  const { args } = redirected(callOf('GET'), { status: 302, location: 'http://b.test/' })
  expect(args[0].headers.map(([name]: [string]) => name)).toEqual(['Content-Type', 'X-Own'])
})

test('a body that came as a stream cannot be sent again', () => {
  const streamed = callOf('POST', { bytes: undefined, hasBody: true })
  expect(() => redirected(streamed, { status: 307, location: '/y' })).toThrow(TypeError)
  expect(redirected(streamed, { status: 303, location: '/y' }).hasBody).toBe(false)
})

const result = (status: number, headers: string[][]) =>
  ({ t: 'result', call: 1, value: { status, headers } }) as const

test.each([
  { what: 'a redirect', call: callOf('GET'), status: 302, to: { status: 302, location: '/y' } },
  { what: 'no redirect', call: callOf('GET'), status: 200, to: undefined },
  {
    what: 'a redirect that is not followed',
    call: { ...callOf('GET'), args: [{}, { redirect: 'manual' }] },
    status: 302,
    to: undefined
  },
  {
    what: 'a response of something else',
    call: callOf('GET', { service: 'service' }),
    status: 302,
    to: undefined
  }
])('$what leads to $to', ({ call, status, to }) => {
  expect(destination(call, result(status, [['LOCATION', '/y']]))).toEqual(to)
})

test('a redirect without a place leads nowhere', () => {
  expect(destination(callOf('GET'), result(302, []))).toBeUndefined()
})
