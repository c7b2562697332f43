import { expect, test } from 'vitest'
import { directiveFault } from '../../../src/platform/policy/directive.ts'

const limit = 200

test.each([
  "script-src 'self'",
  "script-src 'none'",
  "script-src 'NONE'",
  "SCRIPT-SRC 'Self' Shop.Example.Test",
  'script-src',
  'script-src;',
  " script-src  'self' ; ; connect-src api.example.test ",
  'script-src * *.example.test example.test:* example.test:8080 127.0.0.1',
  'script-src https: data: https://a.test http://a.test/x/y.js https://a.test:443/x%2Cy',
  "script-src 'nonce-dGVzdA==' 'sha256-47DEQpj8HBSa-_+/=' 'strict-dynamic' 'unsafe-eval'",
  `script-src ${'x'.repeat(limit - 'script-src '.length)}`
])('%j can be the value of a policy', (value) => {
  expect(directiveFault(value, limit)).toBeUndefined()
})

test.each([
  ['', 'must have a directive'],
  [' ; ;', 'must have a directive'],
  ["script-src 'self'\r\nSet-Cookie: a=b", 'must be printable ASCII'],
  ["script-src 'self'\n", 'must be printable ASCII'],
  ['script-src\tself', 'must be printable ASCII'],
  ['script-src a.test\0', 'must be printable ASCII'],
  ['script-src bücher.test', 'must be printable ASCII'],
  ["script-src 'none', script-src *", 'a comma would begin another policy'],
  ['script-src a.test; report-uri https://evil.test/', 'there is no directive report-uri'],
  ['report-to evil', 'there is no directive report-to'],
  ["'self' script-src", "there is no directive 'self'"],
  ['__proto__ a.test', 'there is no directive __proto__'],
  [`${'x'.repeat(100)} a.test`, `there is no directive ${'x'.repeat(60)}…`],
  ['script-src a.test; SCRIPT-SRC b.test', 'script-src is there twice'],
  ["script-src 'none' a.test", "'none' must stand alone"],
  ["script-src 'selfish'", "'selfish' is not a source"],
  ["script-src 'self", "'self is not a source"],
  ['script-src a..test', 'a..test is not a source'],
  ['script-src a.*.test', 'a.*.test is not a source'],
  ['script-src http://a.test/x?y=1', 'http://a.test/x?y=1 is not a source'],
  ['script-src //a.test', '//a.test is not a source'],
  [`script-src ${'x'.repeat(limit)}`, `must not be longer than ${limit} characters`],
  ['x'.repeat(1_000_000), `must not be longer than ${limit} characters`]
])('%j cannot', (value, fault) => {
  expect(directiveFault(value, limit)).toContain(fault)
})
