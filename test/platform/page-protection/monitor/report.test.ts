import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  reportBody,
  violationIn,
  webAddress
} from '../../../../src/platform/page-protection/monitor/report.ts'

test.each([
  ['http://A.test/x?y#z', 'http://a.test/x'],
  ['https://a.test', 'https://a.test/'],
  ['http://a.test:80/', 'http://a.test/'],
  ['http://a.test:8080/b', 'http://a.test:8080/b'],
  ['http://user:word@a.test/', 'http://a.test/'],
  ['data:text/javascript,1', undefined],
  ['blob:http://a.test/1', undefined],
  ['inline', undefined],
  ['', undefined]
])('%j has the address %j', (text, address) => {
  expect(webAddress(text)).toBe(address)
})

const report = {
  'document-uri': 'http://shop.a.test/pay?card=1#x',
  'blocked-uri': 'https://cdn.test/a.js?v=1',
  'effective-directive': 'script-src-elem',
  disposition: 'report',
  'original-policy': "script-src 'none'"
}
const read = (change: object) => {
  const { success, output } = v.safeParse(reportBody, { 'csp-report': { ...report, ...change } })
  return success ? violationIn(output) : 'refused'
}
const whole = {
  page: 'http://shop.a.test/pay',
  host: 'shop.a.test',
  blocked: 'https://cdn.test/a.js',
  directive: 'script-src-elem',
  disposition: 'report'
}

test.each([
  ['as it is', {}, whole],
  ['of an inline script', { 'blocked-uri': 'inline' }, { ...whole, blocked: 'inline' }],
  ['that blocked', { disposition: 'enforce' }, { ...whole, disposition: 'enforce' }],
  [
    'of an older browser',
    { 'effective-directive': undefined, 'violated-directive': "Script-Src 'none'" },
    { ...whole, directive: 'script-src' }
  ],
  ['of a page that is none', { 'document-uri': 'about:blank' }, undefined],
  ['without a page', { 'document-uri': undefined }, 'refused'],
  ['with a number', { 'blocked-uri': 7 }, 'refused'],
  ['with an endless address', { 'blocked-uri': `http://a.test/${'x'.repeat(3_000)}` }, 'refused'],
  ['with another disposition', { disposition: 'maybe' }, 'refused']
])('a report %s', (_, change, expected) => {
  expect(read(change)).toEqual(expected)
})
