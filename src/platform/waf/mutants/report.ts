import { dashed, mistyped } from '../../kernel/api/wrong-operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import type { WafRules } from '../rules.ts'
import { changeWaf } from '../zone-waf.ts'
import { check, config, kept, modeOf, status, update, updating } from './call.ts'
import { instead, misreported, missing, spoiled, unavailable } from './operation.ts'

type Record = { [field: string]: any }

/** A configuration whose rules are altered. */
const rules = (alter: (rule: Record) => Record) =>
  misreported([config], (result) => ({ ...result, rules: (result.rules as Record[]).map(alter) }))

const compatibility = ['compatible', 'migration_state'].flatMap((field): Mutant<WafRules>[] => {
  const clause = `waf-migration.compat.field.${dashed(field)}`
  const name = `waf-check-${dashed(field)}`
  return [
    {
      name: `${name}-missing`,
      clause,
      description: `The compatibility result has no ${field}.`,
      change: missing([check], field)
    },
    {
      name: `${name}-wrong-type`,
      clause,
      description: `The compatibility result's ${field} is of another type.`,
      change: spoiled([check], field, mistyped)
    }
  ]
})

const configurations = ['name', 'rules'].map(
  (field): Mutant<WafRules> => ({
    name: `waf-config-${field}-missing`,
    clause: `waf-migration.config.field.${field}`,
    description: `The proposed configuration has no ${field}.`,
    change: missing([config], field)
  })
)

const fields = ['id', 'version', 'action', 'expression', 'description', 'ref', 'enabled']
const ruleFields = fields.flatMap((field): Mutant<WafRules>[] => {
  const clause = `waf-migration.config.field.rules.${field}`
  return [
    {
      name: `waf-rule-${field}-missing`,
      clause,
      description: `The rules of the proposed configuration have no ${field}.`,
      change: rules(({ [field]: _, ...rest }) => rest)
    },
    {
      name: `waf-rule-${field}-wrong-type`,
      clause,
      description: `The ${field} of the rules of the proposed configuration is of another type.`,
      change: rules((rule) => ({ ...rule, [field]: mistyped(rule[field]) }))
    }
  ]
})

/** Rules whose action parameters are altered. */
const parameters = (alter: (parameters: Record) => Record) =>
  rules((rule) => ({ ...rule, action_parameters: alter(rule.action_parameters) }))

/** Rules whose per-rule overrides are altered. */
const overrides = (alter: (override: Record) => Record) =>
  parameters((given) =>
    given.overrides
      ? { ...given, overrides: { ...given.overrides, rules: given.overrides.rules.map(alter) } }
      : given
  )

const nested: Mutant<WafRules>[] = [
  {
    name: 'waf-rule-ruleset-missing',
    clause: 'waf-migration.config.field.rules.action-parameters.id',
    description: 'A rule that executes a managed ruleset does not say which.',
    change: parameters(({ id: _, ...rest }) => rest)
  },
  {
    name: 'waf-rule-ruleset-by-name',
    clause: 'waf-migration.config.field.rules.action-parameters.id',
    description: 'A rule names the managed ruleset that it executes, and not its id.',
    change: parameters((given) => ('id' in given ? { ...given, id: 'owasp' } : given))
  },
  {
    name: 'waf-rule-override-enabled-as-word',
    clause: 'waf-migration.config.field.rules.action-parameters.overrides.rules',
    description: 'An override of a rule is enabled by the word for it.',
    change: overrides((override) => ({ ...override, enabled: String(override.enabled) }))
  },
  {
    name: 'waf-rule-override-without-action',
    clause: 'waf-migration.config.field.rules.action-parameters.overrides.rules',
    description: 'An override of a rule does not say which action it is.',
    change: overrides(({ action: _, ...rest }) => rest)
  }
]

const operations = [check, config, status, update].map(
  (name): Mutant<WafRules> => ({
    name: `${name!.replace('.', '-')}-unavailable`,
    clause: name!,
    description: `The operation ${name!.replace('.', ' ')} is answered with 404.`,
    change: unavailable(name!)
  })
)

/** What can be wrong with what the migration calls tell. */
export const wafReportMutants: readonly Mutant<WafRules>[] = [
  ...compatibility,
  ...configurations,
  ...ruleFields,
  ...nested,
  ...operations,
  {
    name: 'waf-migration-status-without-states',
    clause: 'waf-migration.status',
    description: 'The status tells when it was asked, and neither WAF nor state.',
    change: instead([status!], ({ time }) => ({ result: { at: time.now() } }))
  },
  {
    name: 'waf-migration-update-answers-nothing',
    clause: 'waf-migration.update-entrypoint',
    description: 'The update of the entry point is answered with an empty list.',
    change: instead([update], (call, run) => {
      run(call)
      return { result: [] }
    })
  },
  {
    name: 'waf-second-validation-not-stored',
    clause: 'waf-migration.update-entrypoint',
    description: 'An update in validation mode is answered, and what it sends is not stored.',
    change: updating(
      (call) => modeOf(call) === 'validation' && kept(call).migration.state === 'validation',
      (call, run) => {
        const { entrypoint } = kept(call)
        const payload = run(call)
        changeWaf(call.store, call.zone.id, { entrypoint })
        return payload
      }
    )
  }
]
