import { unknownObject } from '../kernel/api/failure.ts'
import type { Operation } from '../kernel/api/operation.ts'
import {
  categoriesOf,
  type ManagedRuleset,
  managedRuleset,
  managedRulesets
} from './managed-ruleset.ts'
import { defaultThreshold } from './new-waf.ts'
import { phase } from './ruleset.ts'
import { readWaf } from './zone-waf.ts'

const about = ({ id, name, description, version }: ManagedRuleset) => ({
  id,
  name,
  description,
  kind: 'managed',
  version,
  phase
})

/** Every rule of a managed ruleset as it is unless a zone overrides it. */
function rulesOf({ rules, scoreRule }: ManagedRuleset) {
  const matching = rules.map((rule) => ({
    id: rule.id,
    description: rule.description,
    categories: categoriesOf(rule),
    enabled: true,
    ...(scoreRule === undefined ? { action: 'block' } : { action: 'score', score: rule.score })
  }))
  if (scoreRule === undefined) return matching
  const last = { id: scoreRule, description: 'Acts on the sum of all scores', categories: [] }
  return [
    ...matching,
    { ...last, enabled: true, action: 'block', score_threshold: defaultThreshold }
  ]
}

/** The rulesets a zone can see: those that are managed, and its own entry point. */
export const rulesetOperations = {
  'waf.ruleset.list': {
    method: 'GET',
    path: '/zones/:zone/rulesets',
    permission: 'waf:read',
    run({ store, zone }) {
      const { entrypoint } = readWaf(store, zone.id)
      const { rules: _, ...own } = entrypoint ?? { rules: [] }
      return { result: [...managedRulesets.map(about), ...(entrypoint ? [own] : [])] }
    }
  },
  'waf.ruleset.get': {
    method: 'GET',
    path: '/zones/:zone/rulesets/:id',
    permission: 'waf:read',
    run({ store, zone, id, path }) {
      const { entrypoint } = readWaf(store, zone.id)
      if (entrypoint?.id === id) return { result: entrypoint }
      const managed = managedRuleset(id)
      if (managed === undefined) throw unknownObject(path)
      return { result: { ...about(managed), rules: rulesOf(managed) } }
    }
  }
} satisfies Record<string, Operation>
