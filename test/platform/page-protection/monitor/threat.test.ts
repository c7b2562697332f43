import { expect, test } from 'vitest'
import { listThreats, threatsOf } from '../../../../src/platform/page-protection/monitor/threat.ts'
import { openStore } from '../../store.ts'

const store = openStore()
listThreats(store, {
  domains: { 'Bad.test': ['malware'], 'deep.bad.test': ['phishing', 'spyware'] },
  urls: { 'http://good.test/bad.js': ['cryptomining'] }
})

test.each([
  ['http://bad.test/a.js', { domain: ['malware'] }],
  ['https://cdn.bad.test:8080/', { domain: ['malware'] }],
  ['http://a.deep.bad.test/', { domain: ['phishing', 'spyware'] }],
  ['http://notbad.test/', {}],
  ['http://good.test/bad.js', { url: ['cryptomining'] }],
  ['http://good.test/good.js', {}],
  ['http://127.0.0.1/', {}]
])('%s', (url, threats) => {
  expect(threatsOf(store, url)).toEqual({ domain: undefined, url: undefined, ...threats })
})

test('a new list replaces the old one', () => {
  listThreats(store, { domains: {}, urls: {} })
  expect(threatsOf(store, 'http://bad.test/')).toEqual({ domain: undefined, url: undefined })
})
