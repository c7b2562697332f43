import { describe, expect, test } from 'vitest'
import { parseAddress, targetOf } from '../../src/target/address.ts'

test.each([
  {
    url: 'http://127.0.0.1:8080/client/v4/',
    origin: 'http://127.0.0.1:8080',
    host: '127.0.0.1:8080',
    isSecure: false,
    hostname: '127.0.0.1',
    port: 8080,
    prefix: '/client/v4'
  },
  {
    url: 'https://Example.com',
    origin: 'https://example.com',
    host: 'example.com',
    isSecure: true,
    hostname: 'example.com',
    port: 443,
    prefix: ''
  },
  {
    url: 'http://[::1]/',
    origin: 'http://[::1]',
    host: '[::1]',
    isSecure: false,
    hostname: '[::1]',
    port: 80,
    prefix: ''
  }
])('$url', ({ url, ...address }) => {
  expect(parseAddress(url)).toEqual(address)
})

test.each([
  { url: 'nonsense', complaint: '"nonsense" is not a URL' },
  { url: 'ftp://h/', complaint: '"ftp://h/" is neither http: nor https:' },
  { url: 'http://h/?a=b', complaint: '"http://h/?a=b" goes on after its path' },
  { url: 'http://h/#a', complaint: '"http://h/#a" goes on after its path' },
  {
    url: 'http://me:secret@h/',
    complaint: 'the URL of h holds a password: send an authorization header'
  }
])('$url is refused', ({ url, complaint }) => {
  expect(() => parseAddress(url)).toThrow(new TypeError(complaint))
})

describe('request targets', () => {
  test.each([
    { url: 'http://h', path: '/a?b=c', target: '/a?b=c' },
    { url: 'http://h', path: '', target: '/' },
    { url: 'http://h', path: '?a', target: '/?a' },
    { url: 'http://h/v4', path: '/zones', target: '/v4/zones' },
    { url: 'http://h/v4', path: '', target: '/v4' },
    { url: 'http://h/v4/', path: '?a', target: '/v4?a' }
  ])('$path below $url', ({ url, path, target }) => {
    expect(targetOf(parseAddress(url), path)).toBe(target)
  })

  test.each(['zones', 'http://elsewhere/', '/a b', '/a\r\nx: y', '/\u{1f600}'])(
    '%j is misuse',
    (path) => {
      expect(() => targetOf(parseAddress('http://h'), path)).toThrow(TypeError)
    }
  )
})
