import { expect, test } from 'vitest'
import {
  type Configuration,
  unconfigured
} from '../../../../src/platform/waf/previous/configuration.ts'
import { owaspPackage, servicePackage } from '../../../../src/platform/waf/previous/package.ts'
import {
  isLookedAt,
  previousWaf,
  screen
} from '../../../../src/platform/waf/previous/previous-waf.ts'
import { suspect, worth } from '../suspects.ts'

const on: Configuration = { ...unconfigured, enabled: true }
const without = { ...unconfigured.owasp, sensitivity: 'off' as const }
const ruleOf = (name: string) =>
  servicePackage.rules.find(({ signature }) => signature.name === name)!

const actions = (configuration: Partial<Configuration>, names: string[], uri?: string) =>
  previousWaf({ ...on, ...configuration })(suspect(names, uri)).map(({ action }) => action)

test('the service’s rules act by themselves, each in its own mode', () => {
  const { id, group } = ruleOf('schema')
  const service = (groups: Configuration['service']['groups'], mode?: 'simulate' | 'disable') => ({
    owasp: without,
    service: { groups, rules: mode ? { [id]: mode } : {} }
  })
  expect(actions({ owasp: without }, ['schema'])).toEqual(['block'])
  expect(actions(service({}, 'simulate'), ['schema'])).toEqual(['log'])
  expect(actions(service({}, 'disable'), ['schema'])).toEqual([])
  expect(actions(service({ [group]: 'off' }), ['schema'])).toEqual([])
  expect(actions(service({ [group]: 'off' }, 'simulate'), ['schema', 'timing'])).toEqual(['log'])
})

test('a URI-based override changes modes at its URLs, unless it is paused', () => {
  const { id, group } = ruleOf('schema')
  const override = { id: 'a', urls: ['*/x/*', '*/y/*'], description: '', paused: false, rules: {} }
  const groups = { [group]: 'disable' as const }
  const with_ = (more: object) => ({
    owasp: without,
    uriOverrides: [{ ...override, groups, ...more }]
  })
  expect(actions(with_({}), ['schema'], 'http://a.test/x/1')).toEqual([])
  expect(actions(with_({}), ['schema'], 'http://a.test/y/1')).toEqual([])
  expect(actions(with_({}), ['schema'], 'http://a.test/z')).toEqual(['block'])
  expect(actions(with_({ paused: true }), ['schema'], 'http://a.test/x/1')).toEqual(['block'])
  const rules = { [id]: 'challenge' }
  expect(actions(with_({ rules }), ['schema'], 'http://a.test/x/1')).toEqual(['challenge'])
})

const quiet = { groups: Object.fromEntries(servicePackage.groups.map(({ id }) => [id, 'off'])) }
const anomaly = (owasp: Partial<Configuration['owasp']>) =>
  ({
    service: { ...quiet, rules: {} },
    owasp: { ...on.owasp, ...owasp }
  }) as Partial<Configuration>

test.each([
  ['high', 25],
  ['default', 25],
  ['medium', 40],
  ['low', 60]
] as const)('the OWASP package with sensitivity %s acts from %i on', (sensitivity, score) => {
  expect(actions(anomaly({ sensitivity }), worth(score - 5))).toEqual([])
  expect(actions(anomaly({ sensitivity }), worth(score))).toEqual(['block'])
  expect(actions(anomaly({ sensitivity, action: 'simulate' }), worth(score))).toEqual(['log'])
})

test('rules and groups of the OWASP package that are off do not count', () => {
  const names = worth(25)
  const [{ id, group }] = owaspPackage.rules.filter((rule) =>
    names.includes(rule.signature.name)
  ) as [(typeof owaspPackage.rules)[number]]
  expect(actions(anomaly({ rules: { [id]: 'off' } }), names)).toEqual([])
  expect(actions(anomaly({ groups: { [group]: 'off' } }), names)).toEqual([])
  expect(actions(anomaly({ groups: { [group]: 'off' }, rules: { [id]: 'on' } }), worth(5))).toEqual(
    []
  )
  expect(actions(anomaly({ sensitivity: 'off' }), worth(60))).toEqual([])
})

const path = (value: string) => `http.request.uri.path eq "${value}"`

test('firewall rules act in their order, up to one that blocks', () => {
  const rule = (action: 'bypass' | 'block' | 'log', at: string) => ({
    ...{ id: action, description: '', action },
    expression: path(at)
  })
  const firewallRules = [
    rule('log', '/a'),
    rule('bypass', '/a'),
    rule('block', '/a'),
    rule('log', '/a')
  ]
  const screened = screen({ ...on, firewallRules })
  const { findings, exemption } = screened(suspect([], 'http://a.test/a').facts)
  expect(findings.map(({ action }) => action)).toEqual(['log', 'skip', 'block'])
  expect(exemption.isBypassed).toBe(true)
  expect(screened(suspect([]).facts)).toEqual({
    findings: [],
    exemption: { isBypassed: false, pageRule: undefined }
  })
})

const off = { url: '*/x', waf: 'off' as const }
const turnedOn = { url: '*/x', waf: 'on' as const }
const disabled = { url: '*/x', disableSecurity: true as const }

test.each<[enabled: boolean, pageRules: Configuration['pageRules'], at: string, isLooked: boolean]>(
  [
    [true, [], '/x', true],
    [false, [], '/x', false],
    [true, [off], '/x', false],
    [true, [off], '/y', true],
    [false, [turnedOn], '/x', true],
    [false, [turnedOn], '/y', false],
    [true, [disabled], '/x', false],
    [true, [turnedOn, off], '/x', true],
    [true, [off, turnedOn], '/x', false],
    [true, [disabled, turnedOn], '/x', false]
  ]
)('switch %s, page rules %j, %s: looked at %s', (enabled, pageRules, at, isLooked) => {
  const configuration = { ...on, enabled, pageRules }
  const { exemption } = screen(configuration)(suspect([], `http://a.test${at}`).facts)
  expect(isLookedAt(configuration, exemption)).toBe(isLooked)
})
