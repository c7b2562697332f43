import { expect, test } from 'vitest'
import { owaspRuleset, ruleFor, serviceRuleset } from '../../../src/platform/waf/managed-ruleset.ts'
import { newWaf } from '../../../src/platform/waf/new-waf.ts'
import type { Overrides, Rule } from '../../../src/platform/waf/ruleset.ts'
import { suspect, worth } from './suspects.ts'

const common = { id: '', version: '', ref: '', description: '', enabled: true }
const execute = (ruleset: { id: string }, overrides: Overrides = {}): Rule => ({
  ...common,
  action: 'execute',
  expression: 'true',
  action_parameters: { id: ruleset.id, overrides }
})
const skip = (parameters: { ruleset: 'current' } | { rulesets: string[] }): Rule => ({
  ...{ ...common, id: 'the skip' },
  action: 'skip',
  expression: 'http.request.uri.path eq "/skipped"',
  action_parameters: parameters
})
const idIn = (ruleset: typeof serviceRuleset, name: string) => ruleFor(ruleset, name)!.id

/** What is found of a request, each finding as its action. */
function actions(rules: Rule[], names: string[], path = '/') {
  const findings = newWaf({ rules })(suspect(names, `http://a.test${path}`))
  return findings.map(({ action }) => action)
}

test('a ruleset of the service blocks on the first match, and says which rule it was', () => {
  const inspect = newWaf({ rules: [execute(serviceRuleset)] })
  expect(inspect(suspect([]))).toEqual([])
  expect(inspect(suspect(['schema', 'script-tag']))).toEqual([
    {
      source: 'waf',
      action: 'block',
      ruleId: idIn(serviceRuleset, 'schema'),
      rulesetId: serviceRuleset.id
    }
  ])
})

test('overrides: a rule’s own beats its category’s, and that the ruleset’s', () => {
  const own = { id: idIn(serviceRuleset, 'schema'), action: 'challenge' as const }
  const category = { category: 'injection', action: 'log' as const }
  const rules = (given: Overrides) => [execute(serviceRuleset, given)]
  expect(actions(rules({ action: 'log' }), ['schema', 'timing'])).toEqual(['log', 'log'])
  expect(actions(rules({ action: 'block', categories: [category] }), ['schema'])).toEqual(['log'])
  expect(actions(rules({ categories: [category], rules: [own] }), ['schema', 'timing'])).toEqual([
    'challenge'
  ])
  expect(actions(rules({ enabled: false }), ['schema'])).toEqual([])
  const on = { ...own, enabled: true }
  expect(actions(rules({ enabled: false, rules: [on] }), ['schema', 'timing'])).toEqual([
    'challenge'
  ])
})

test('a rule that is off, or about something else, executes nothing', () => {
  const other = { ...execute(serviceRuleset), expression: 'http.request.uri.path eq "/other"' }
  expect(actions([{ ...execute(serviceRuleset), enabled: false }], ['schema'])).toEqual([])
  expect(actions([other], ['schema'])).toEqual([])
  expect(actions([other], ['schema'], '/other')).toEqual(['block'])
})

test('a skip rule spares all that comes behind it, or the rulesets it names', () => {
  const rest = [execute(serviceRuleset), execute(owaspRuleset)]
  const all = [skip({ ruleset: 'current' }), ...rest]
  expect(actions(all, worth(50), '/skipped')).toEqual(['skip'])
  expect(actions(all, worth(50))).toEqual(['block'])
  const service = [skip({ rulesets: [serviceRuleset.id] }), ...rest]
  expect(actions(service, ['schema'], '/skipped')).toEqual(['skip'])
  expect(actions(service, worth(50), '/skipped')).toEqual(['skip', 'block'])
  expect(actions([...rest, skip({ ruleset: 'current' })], ['schema'], '/skipped')).toEqual([
    'block'
  ])
})

const scored = (given: { threshold?: number; level?: number; action?: 'log' }): Rule => {
  const { threshold, level = 4, action } = given
  const off = [1, 2, 3, 4].filter((one) => one > level)
  return execute(owaspRuleset, {
    categories: off.map((one) => ({ category: `paranoia-level-${one}`, enabled: false })),
    rules: [{ id: owaspRuleset.scoreRule!, action, score_threshold: threshold }]
  })
}

test.each<[given: Parameters<typeof scored>[0], names: string[], found: string[]]>([
  [{}, worth(35), []],
  [{}, worth(40), ['block']],
  [{ threshold: 25 }, worth(20), []],
  [{ threshold: 25 }, worth(25), ['block']],
  [{ threshold: 25, action: 'log' }, worth(25), ['log']],
  [{ threshold: 25, level: 1 }, [...worth(20), ...worth(5, 2)], []],
  [{ threshold: 25, level: 2 }, [...worth(20), ...worth(5, 2)], ['block']]
])('the OWASP ruleset adds up: %j with %j', (given, names, found) => {
  expect(actions([scored(given)], names)).toEqual(found)
})

test('without its last rule the OWASP ruleset does nothing', () => {
  const overrides = { rules: [{ id: owaspRuleset.scoreRule!, enabled: false }] }
  expect(actions([execute(owaspRuleset, overrides)], worth(60))).toEqual([])
})
