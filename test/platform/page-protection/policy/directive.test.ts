import { expect, test } from 'vitest'
import { directiveFault } from '../../../../src/platform/page-protection/policy/directive.ts'

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
  'upgrade-insecure-requests',
  'UPGRADE-INSECURE-REQUESTS; block-all-mixed-content',
  'sandbox',
  'sandbox allow-scripts allow-same-origin allow-popups-to-escape-sandbox',
  "require-trusted-types-for 'script'",
  "trusted-types default one#two 'allow-duplicates'",
  "trusted-types 'none'",
  'trusted-types *',
  "webrtc 'block'",
  'script-src a.test; report-to csp-endpoint',
  "script-src 'trusted-types-eval' 'report-sha256'",
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
  ['report-to', 'report-to takes a value'],
  ['report-to a b', 'report-to takes one value'],
  ['report-to a/b', 'a/b is nothing for report-to'],
  ['upgrade-insecure-requests a.test', 'upgrade-insecure-requests takes no value'],
  ['sandbox allow-everything', 'allow-everything is nothing for sandbox'],
  ['require-trusted-types-for', 'require-trusted-types-for takes a value'],
  ["require-trusted-types-for 'style'", "'style' is nothing for require-trusted-types-for"],
  ["trusted-types 'none' a", "'none' must stand alone"],
  ["webrtc 'maybe'", "'maybe' is nothing for webrtc"],
  ['navigate-to a.test', 'there is no directive navigate-to'],
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
