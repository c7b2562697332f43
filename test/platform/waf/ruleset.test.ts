import * as v from 'valibot'
import { expect, test } from 'vitest'
import { owaspRuleset, serviceRuleset } from '../../../src/platform/waf/managed-ruleset.ts'
import { rulesetFields, updated } from '../../../src/platform/waf/ruleset.ts'

const execute = {
  action: 'execute',
  expression: 'true',
  action_parameters: { id: serviceRuleset.id }
}
const skip = { action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } }
const given = (...rules: object[]) => v.parse(rulesetFields, { name: 'Mine', rules })
const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']

test('every update replaces all rules, and is a version of its own', () => {
  const one = updated(undefined, given(execute, skip), first)
  expect(one).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    ...{ name: 'Mine', kind: 'zone', version: '1', last_updated: first },
    phase: 'http_request_firewall_managed'
  })
  const two = updated(one, given(skip), second)
  expect([two.id, two.version, two.last_updated]).toEqual([one.id, '2', second])
  expect(two.rules).toHaveLength(1)
})

test('a rule keeps its id and ref, one that is empty or unknown is given them', () => {
  const one = updated(undefined, given({ ...execute, id: '', version: '', ref: '' }), first)
  const [{ id, ref, version }] = one.rules as [(typeof one.rules)[number]]
  expect([id, ref, version]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), id, '1'])
  const again = updated(
    one,
    given({ ...execute, id }, { ...execute, id }, { ...skip, id: 'ff' }),
    second
  )
  const ids = again.rules.map((rule) => rule.id)
  expect(ids[0]).toBe(id)
  expect(new Set(ids).size).toBe(3)
  expect(ids).not.toContain('ff')
  const named = updated(again, given({ ...execute, id, ref: 'mine' }), second)
  expect(named.rules).toMatchObject([{ id, ref: 'mine', version: '3' }])
})

test('what is left out of a rule is enabled, and empty', () => {
  const [rule] = given(execute).rules
  expect(rule).toEqual({ ...execute, id: '', version: '', ref: '', description: '', enabled: true })
})

test.each<[fault: string, rule: object]>([
  ['expression', { ...execute, expression: 'ssl and' }],
  ['action', { ...execute, action: 'block' }],
  ['id', { ...execute, action_parameters: { id: 'ff' } }],
  ['id', { ...execute, action_parameters: {} }],
  ['enabled', { ...execute, enabled: 'true' }],
  ['action_parameters', { ...skip, action_parameters: { ruleset: 'other' } }],
  [
    'score_threshold',
    {
      ...execute,
      action_parameters: {
        id: owaspRuleset.id,
        overrides: { rules: [{ id: owaspRuleset.scoreRule, score_threshold: 0 }] }
      }
    }
  ]
])('a rule with a wrong %s is refused', (field, rule) => {
  const { issues } = v.safeParse(rulesetFields, { name: '', rules: [rule] })
  expect(issues!.map((issue) => v.getDotPath(issue)).join()).toContain(field)
})
