import { expect, test } from 'vitest'
import { factsOf } from '../../../src/platform/edge/facts.ts'
import { compile, parseExpression } from '../../../src/platform/expression/expression.ts'
import { request } from './asked.ts'

const asked = request({
  method: 'POST',
  uri: '/a/Shop.PHP?a=1&b&a=2%203&=x',
  path: '/a/Shop.PHP',
  host: 'www.a.test',
  headers: [
    ['Host', 'www.a.test:80'],
    ['User-Agent', 'Probe/1'],
    ['X-Two', 'one'],
    ['x-two', 'two'],
    ['Cookie', 'sid=1=2; theme=dark'],
    ['Cookie', 'sid=3'],
    ['X-Bytes', '\xfe\xff']
  ],
  from: { address: '::ffff:10.1.2.3', port: 50_000, to: 8_080 }
})
const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

test.each([
  'http.host eq "www.a.test"',
  'http.request.method eq "POST"',
  'http.request.uri eq "/a/Shop.PHP?a=1&b&a=2%203&=x"',
  'http.request.uri.path eq "/a/Shop.PHP"',
  'http.request.uri.path.extension eq "php"',
  'http.request.uri.query eq "a=1&b&a=2%203&=x"',
  'http.request.full_uri eq "http://www.a.test/a/Shop.PHP?a=1&b&a=2%203&=x"',
  'http.request.uri.args["a"][0] eq "1" and http.request.uri.args["a"][1] eq "2%203"',
  'http.request.uri.args["b"][0] eq ""',
  'any(http.request.uri.args.names[*] eq "b")',
  'any(http.request.uri.args.values[*] eq "x")',
  'http.user_agent contains "Probe"',
  'http.referer eq ""',
  'http.cookie contains "theme=dark"',
  'http.request.cookies["sid"][0] eq "1=2" and http.request.cookies["sid"][1] eq "3"',
  'http.request.headers["x-two"][1] eq "two"',
  'any(http.request.headers.names[*] eq "user-agent")',
  'any(http.request.headers.values[*] eq "\\xfe\\xff")',
  'not http.request.headers.truncated',
  'http.request.version eq "HTTP/1.1"',
  'http.request.timestamp.sec eq 1767323045 and http.request.timestamp.msec eq 678',
  'ip.src in {10.0.0.0/8}',
  'cf.edge.client_port eq 50000 and cf.edge.server_port eq 8080',
  'cf.zone.name eq "a.test"',
  'not ssl',
  // What nobody looked up is not known, and compares to nothing.
  'not ip.src.country eq "DE" and not ip.src.country ne "DE"'
])('%s', (source) => {
  const parsed = parseExpression(source)
  if (!parsed.ok) throw new Error(parsed.failure.reason)
  expect(compile(parsed.expression)(factsOf(asked, { zone: { host: 'a.test' }, now }))).toBe(true)
})

test('a path without extension, and a client without address', () => {
  const bare = request({ path: '/a.b/c', from: { address: '', port: 0, to: 0 } })
  const facts = factsOf(bare, { zone: { host: 'a.test' }, now })
  expect(facts['http.request.uri.path.extension']).toBe('')
  expect(facts['ip.src']).toBeUndefined()
})
