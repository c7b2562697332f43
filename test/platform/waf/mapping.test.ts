import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { owaspRuleset, serviceRuleset } from '../../../src/platform/waf/managed-ruleset.ts'
import { mappingRules, proposal } from '../../../src/platform/waf/mapping.ts'
import { newWaf } from '../../../src/platform/waf/new-waf.ts'
import {
  type Configuration,
  ruleModes,
  unconfigured
} from '../../../src/platform/waf/previous/configuration.ts'
import { owaspPackage, servicePackage } from '../../../src/platform/waf/previous/package.ts'
import { isLookedAt, previousWaf, screen } from '../../../src/platform/waf/previous/previous-waf.ts'
import { rulesetFields } from '../../../src/platform/waf/ruleset.ts'
import { suspect } from './suspects.ts'

const migrated = (configuration: Partial<Configuration>) =>
  proposal(mappingRules, { ...unconfigured, enabled: true, ...configuration })

/** The rule that deploys the OWASP ruleset. */
function owaspRule(owasp: Partial<Configuration['owasp']>) {
  const { rules } = migrated({ owasp: { ...unconfigured.owasp, ...owasp } })
  return rules.at(-1)!
}

const score = { id: owaspRuleset.scoreRule, enabled: true }
const off = (...levels: number[]) =>
  levels.map((level) => ({ category: `paranoia-level-${level}`, enabled: false }))

// The document's table, row by row.
test.each([
  ['high', [3, 4], 40],
  ['medium', [2, 3, 4], 25],
  ['low', [2, 3, 4], 40],
  ['default', [3, 4], 40]
] as const)('sensitivity %s', (sensitivity, levels, score_threshold) => {
  expect(owaspRule({ sensitivity })).toMatchObject({
    enabled: true,
    action_parameters: {
      id: owaspRuleset.id,
      overrides: {
        categories: off(...levels),
        rules: [{ ...score, action: 'block', score_threshold }]
      }
    }
  })
})

test.each([
  ['simulate', 'log'],
  ['block', 'block'],
  ['challenge', 'challenge']
] as const)('the action %s becomes %s', (action, expected) => {
  expect(owaspRule({ action })).toMatchObject({
    action_parameters: { overrides: { rules: [{ ...score, action: expected }] } }
  })
})

test('a package that is off is deployed disabled', () => {
  expect(owaspRule({ sensitivity: 'off' }).enabled).toBe(false)
})

test('overrides of the OWASP package leave no trace', () => {
  const all = (members: readonly { id: string }[]) =>
    Object.fromEntries(members.map(({ id }) => [id, 'off' as const]))
  const { groups, rules } = owaspPackage
  expect(owaspRule({ groups: all(groups), rules: all(rules) })).toEqual(owaspRule({}))
})

test('without exceptions there are two rules, with the fields the document shows', () => {
  const { name, rules } = migrated({})
  expect(name).toMatch(/./)
  const shown = {
    id: '',
    version: '',
    ref: '',
    action: 'execute',
    expression: 'true',
    enabled: true
  }
  expect(rules).toMatchObject([
    { ...shown, action_parameters: { id: serviceRuleset.id } },
    { ...shown, action_parameters: { id: owaspRuleset.id } }
  ])
})

test('what a hundred page rules come to can be sent back', () => {
  const pageRules = Array.from({ length: 100 }, (_, number) => ({
    url: `a.test/${'x'.repeat(200)}/${number}/*`,
    waf: number % 2 === 0 ? ('on' as const) : ('off' as const)
  }))
  const offered = migrated({ enabled: false, pageRules })
  expect(offered.rules).toHaveLength(52)
  expect(v.safeParse(rulesetFields, offered).success).toBe(true)
})

const url = fc.constantFrom('*', '*/a/*', 'a.test/*', 'a.test/a', '*b*', 'b.test/a/b')
const pageRule = fc.oneof(
  fc.record({ url, waf: fc.constantFrom<'on' | 'off'>('on', 'off') }),
  fc.record({ url, disableSecurity: fc.constant<true>(true) })
)
const bypass = fc.record({
  id: fc.uuid(),
  action: fc.constant<'bypass'>('bypass'),
  expression: fc.constantFrom(
    'http.request.uri.path eq "/a"',
    'http.request.uri.path contains "b"'
  ),
  description: fc.constantFrom('', 'Health')
})
const chosen = <Mode extends string>(members: readonly { id: string }[], ...modes: Mode[]) =>
  fc.dictionary(fc.constantFrom(...members.map(({ id }) => id)), fc.constantFrom(...modes), {
    maxKeys: 4
  })
const configuration = fc.record({
  enabled: fc.boolean(),
  service: fc.record({
    groups: chosen(servicePackage.groups, 'on', 'off'),
    rules: chosen(servicePackage.rules, ...ruleModes)
  }),
  // Scores are weighed otherwise by the two, so only the other package can be compared.
  owasp: fc.constant({ ...unconfigured.owasp, sensitivity: 'off' as const }),
  firewallRules: fc.array(bypass, { maxLength: 2 }),
  pageRules: fc.array(pageRule, { maxLength: 4 }),
  uriOverrides: fc.constant<Configuration['uriOverrides']>([])
})
const request = fc.record({
  host: fc.constantFrom('a.test', 'b.test', 'www.a.test'),
  path: fc.constantFrom('/', '/a', '/a/b', '/a/b/c', '/b'),
  names: fc.subarray(
    servicePackage.rules.map(({ signature }) => signature.name),
    { maxLength: 3 }
  )
})

test('whatever is configured, the new WAF does to requests what the previous one did', () => {
  const property = fc.property(
    configuration,
    fc.array(request, { minLength: 1, maxLength: 8 }),
    (given, requests) => {
      const screened = screen(given)
      const previous = previousWaf(given)
      const next = newWaf(v.parse(rulesetFields, proposal(mappingRules, given)))
      for (const { host, path, names } of requests) {
        const asked = suspect(names, `http://${host}${path}`)
        const { exemption } = screened(asked.facts)
        const before = isLookedAt(given, exemption) ? previous(asked) : []
        const after = next(asked).filter(({ action }) => action !== 'skip')
        expect(after.map(({ action }) => action)).toEqual(before.map(({ action }) => action))
      }
    }
  )
  fc.assert(property, { seed: 20_261_121, numRuns: 500 })
})
