// Migrations of other makes: how the configuration is written, and what is told of states.

import type { Payload } from '../../../src/platform/kernel/api/envelope.ts'
import type { Call } from '../../../src/platform/kernel/api/operation.ts'
import { newId } from '../../../src/platform/kernel/id.ts'
import { managedRuleset, owaspRuleset } from '../../../src/platform/waf/managed-ruleset.ts'
import { migrationOperations } from '../../../src/platform/waf/migration-operations.ts'
import { otherRulesIn, type Variant } from './variant.ts'
import type { Way } from './way.ts'

type Item = Record<string, any>
type Name = keyof typeof migrationOperations

/** Operations that answer otherwise; `honest` is how they usually do. */
const instead = (
  name: Name,
  otherwise: (call: Call, honest: (call: Call) => Payload) => Payload
) => ({
  waf: {
    operations: {
      [name]: {
        run: (call: Call) => otherwise(call, migrationOperations[name].run as never)
      }
    }
  }
})

/** Each rule of the configuration that is offered, written in another way. */
const offered = (change: (rule: Item) => Item) =>
  instead('waf-migration.config', (call, honest) => {
    const { name, rules } = honest(call).result as { name: string; rules: Item[] }
    return { result: { name, rules: rules.map(change) } }
  })

/** The rule with other overrides, if it executes the OWASP ruleset. */
const scored = (change: (overrides: Item) => Item) => (rule: Item) => {
  const { id, overrides } = rule.action_parameters
  if (id !== owaspRuleset.id) return rule
  return { ...rule, action_parameters: { id, overrides: change(overrides) } }
}

const mapping = [
  ...['sensitivity', 'overrides', 'lost', 'action', 'exemptions'].map(
    (name) => `waf/mapping-${name}`
  ),
  ...['waf/round-trip', 'waf/rule-fields', 'waf/omitted-fields', 'waf/off-stays-off', 'waf/errors'],
  ...['waf/levels', 'waf/threshold', 'waf/owasp-acts', 'waf/overrides', 'waf/modes'],
  'waf/rule-expressions'
]
const course = [
  ...['waf/status', 'waf/update', 'waf/completion-pro', 'waf/validation', 'waf/irreversible'],
  'waf/one-behind-other',
  ...['waf/no-validation-pro', 'waf/validation-to-complete', 'waf/synonyms', 'waf/infrastructure'],
  ...['waf/kept-rules', 'waf/update-kept', 'waf/uri-overrides', 'waf/places', 'waf/ineligible'],
  ...['waf/disables-previous', 'waf/status-values']
]

const levelOf = ({ category }: Item) => Number(/\d$/.exec(category)?.[0])

const about = otherRulesIn(mapping)

const statesAllowed = 'names of states other than start are not shown (States and transitions)'
const placeAllowed = 'where a configuration has its paranoia level is not said'

const renamed: Record<string, string> = {
  validation: 'side_by_side',
  pending: 'in-progress',
  complete: 'finished'
}

const states: Way = {
  json: (value) =>
    JSON.stringify(value).replace(
      /"migration_state":"(validation|pending|complete)"/g,
      (_, state) => `"migration_state":"${renamed[state]}"`
    )
}

/** Has a zone's WAFs change so long after the first request that the change is for. */
const late = (ms: number) => {
  const since = new Map<string, number>()
  return (revision: string, newest: string) => {
    if (!since.has(newest)) since.set(newest, Date.now())
    return revision === newest || Date.now() - since.get(newest)! < ms
  }
}

const named: Record<string, string> = {
  ...{ start: 'start', validation: 'testing', pending: 'switching', complete: 'finished' }
}

/** What the status has for a mode, where the check has a state. */
const modes: Record<string, string> = {
  ...{ start: 'start', validation: 'both', pending: 'saved', complete: 'new_only' }
}

/** Calls that tell the state by other names, each by its own, and in other places. */
const reworded = {
  waf: {
    operations: {
      ...instead('waf-migration.check', (call, honest) => {
        const { compatible, migration_state } = honest(call).result as Item
        return { result: { migration_state: named[migration_state], compatible } }
      }).waf.operations,
      ...instead('waf-migration.update-entrypoint', (call, honest) => {
        const { id } = honest(call).result as Item
        return { result: { ruleset: id } }
      }).waf.operations,
      ...instead('waf-migration.status', (call, honest) => {
        const { migration_state, old_waf_status, new_waf_status } = honest(call).result as Item
        const isOn = (status: string) => ({ enabled: status === 'on' })
        const waf = { old: isOn(old_waf_status), new: isOn(new_waf_status) }
        return { result: { mode: modes[migration_state], waf } }
      }).waf.operations
    }
  }
}

/** Platforms whose migration is another. */
export const wafVariants: readonly Variant[] = [
  {
    name: 'states-of-other-names',
    allowed: statesAllowed,
    areas: course,
    ways: { management: states }
  },
  about(
    'status-in-other-words',
    'the field names of the status are not shown',
    instead('waf-migration.status', (call, honest) => {
      const { migration_state, old_waf_status, new_waf_status } = honest(call).result as Item
      const isOn = (status: string) => ({ enabled: status === 'on' })
      return {
        result: {
          mode: migration_state,
          wafs: { previous: isOn(old_waf_status), current: isOn(new_waf_status) }
        }
      }
    }),
    course
  ),
  about('migration-in-other-words', `${statesAllowed}, nor fields of the status`, reworded, course),
  about(
    'phase-two-not-asked-for',
    'migration calls carry phase_two=1; that others are refused is not said',
    { waf: { migration: { isPhaseTwo: (value = '1') => value === '1' } } },
    [...course, 'waf/phase-two', 'waf/phase-two-version', 'waf/every-operation']
  ),
  about(
    'update-tells-little',
    'the body of the updated entry point is not shown',
    instead('waf-migration.update-entrypoint', (call, honest) => {
      const { id, version } = honest(call).result as Item
      return { result: { id, version } }
    }),
    course
  ),
  about(
    'rules-have-ids-beforehand',
    'id, version and ref are empty in the shown case; elsewhere they may not be',
    offered((rule) => ({ ...rule, id: newId(), version: '7', ref: newId() }))
  ),
  about(
    'paranoia-by-what-is-on-too',
    placeAllowed,
    offered(
      scored(({ categories, rules }) => {
        const off = categories.map(levelOf)
        const all = [1, 2, 3, 4].map((level) => ({
          category: `paranoia-level-${level}`,
          enabled: !off.includes(level)
        }))
        return { categories: all.toReversed(), rules }
      })
    )
  ),
  about(
    'paranoia-by-rule',
    placeAllowed,
    offered(
      scored(({ categories, rules }) => {
        const off = categories.map(levelOf)
        const each = managedRuleset(owaspRuleset.id)!.rules.map(({ id, paranoia }) => ({
          ...{ id, action: 'log', enabled: !off.includes(paranoia) }
        }))
        return { rules: [...rules, ...each.filter(({ enabled }) => !enabled)] }
      })
    )
  ),
  about(
    'expressions-of-its-own',
    'how an expression for everything is written is not said',
    offered((rule) =>
      rule.expression === 'true' ? { ...rule, expression: '(http.host ne "")' } : rule
    )
  ),
  about(
    'skips-each-ruleset',
    'what a skip rule looks like is not shown',
    instead('waf-migration.config', (call, honest) => {
      const { name, rules } = honest(call).result as { name: string; rules: Item[] }
      const rulesets = rules.flatMap(({ action_parameters: { id } }) => id ?? [])
      const change = (rule: Item) =>
        rule.action === 'skip' ? { ...rule, action_parameters: { rulesets } } : rule
      return { result: { name, rules: rules.map(change) } }
    })
  ),
  about(
    'owasp-first',
    'in which order managed rulesets are executed is not said',
    instead('waf-migration.config', (call, honest) => {
      const { name, rules } = honest(call).result as { name: string; rules: Item[] }
      const isSkip = ({ action }: Item) => action === 'skip'
      const others = rules.filter((rule) => !isSkip(rule)).toReversed()
      return { result: { name, rules: [...rules.filter(isSkip), ...others] } }
    })
  ),
  about(
    'only-the-update-refuses',
    'which call reports too many rules is not said',
    {
      waf: {
        operations: {
          'waf-migration.config': {
            run: (call: Call) =>
              migrationOperations['waf-migration.config'].run({
                ...call,
                rules: {
                  ...call.rules,
                  limits: {
                    ...call.rules.limits,
                    migratedFirewallRules: Infinity,
                    migratedExpressionBytes: Infinity
                  }
                }
              })
          }
        }
      }
    },
    ['waf/errors', 'waf/firewall-rules', 'waf/expression-length']
  ),
  about(
    'decimal-expressions',
    '4 KB are 4,000 bytes or 4,096',
    { waf: { limits: { migratedExpressionBytes: 4_000 } } },
    ['waf/errors', 'waf/expression-length']
  ),
  about(
    'expressions-between-the-readings',
    '4 KB are 4,000 bytes or 4,096, and about what lies between nothing is said',
    { waf: { limits: { migratedExpressionBytes: 4_050 } } },
    ['waf/errors', 'waf/expression-length']
  ),
  about(
    'wafs-a-while-later',
    'when a configuration that was saved is in force at the edge is not said',
    { waf: { enforcement: { isInForce: late(1_500) } } },
    ['waf', 'log-push/other-dataset', 'not-shown/waf-responses', 'not-shown/waf-states']
  )
]
