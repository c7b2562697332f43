import type { Mutant } from '../../kernel/mutant.ts'
import { type Override, override } from '../../kernel/override.ts'
import { managedRulesets } from '../managed-ruleset.ts'
import { owaspOff } from '../mapping.ts'
import type { State } from '../migration.ts'
import type { WafRules } from '../rules.ts'
import { changeWaf } from '../zone-waf.ts'
import { deciding, kept, update, updating } from './call.ts'
import { instead, unavailable } from './operation.ts'

const mapping = (name: string) => `waf-migration.mapping.${name}`
const after = (name: string) => `waf-migration.after.${name}`
const isPlain = ({ query }: { query: Readonly<Record<string, string>> }) =>
  query.waf_migration === undefined

/** What is offered, altered rule by rule. */
const offering = (alter: (rule: any) => object) =>
  instead(['waf-migration.config'], (call, run) => {
    const { result } = run(call) as { result: any }
    return { result: { ...result, rules: result.rules.map(alter) } }
  })

const exemptions: Mutant<WafRules>[] = [
  {
    name: 'waf-off-migrated-as-on',
    clause: 'waf-migration.config',
    description: 'Where the previous WAF was off, the rules that are offered are on.',
    change: offering((rule) => ({ ...rule, enabled: true }))
  },
  {
    name: 'waf-disabled-rules-migrated-as-enabled',
    clause: 'waf-migration.config',
    description: 'Rules that were turned off are offered turned on.',
    change: offering((rule) => {
      const { overrides } = rule.action_parameters
      if (!overrides) return rule
      const rules = overrides.rules.map((one: object) => ({ ...one, enabled: true }))
      return {
        ...rule,
        action_parameters: { ...rule.action_parameters, overrides: { ...overrides, rules } }
      }
    })
  },
  {
    name: 'waf-page-rule-off-not-migrated-on-enterprise',
    clause: mapping('page-rule-waf-off'),
    description: 'On the enterprise plan page rules that turn the WAF off are not migrated.',
    change: instead(['waf-migration.config'], (call, run) => {
      const wafOff = call.zone.plan !== 'enterprise'
      return run({ ...call, rules: override(call.rules, { mapping: { isSkipped: { wafOff } } }) })
    })
  },
  {
    name: 'waf-bypass-not-migrated',
    clause: mapping('firewall-bypass'),
    description: 'Firewall rules with Bypass are not migrated.',
    change: { mapping: { isSkipped: { bypass: () => false } } }
  },
  {
    name: 'waf-bypass-behind-the-hundredth-not-migrated',
    clause: mapping('firewall-bypass'),
    description: 'Of firewall rules with Bypass the first hundred are migrated.',
    change: instead(['waf-migration.config'], (call, run) => {
      const left = kept(call).configuration.firewallRules.slice(100)
      const { result } = run(call) as { result: any }
      const isLeft = ({ action, expression }: { action: string; expression: string }) =>
        action === 'skip' && left.some((rule) => rule.expression === expression)
      return { result: { ...result, rules: result.rules.filter((one: any) => !isLeft(one)) } }
    })
  },
  {
    name: 'waf-disable-security-not-migrated',
    clause: mapping('page-rule-disable-security'),
    description: 'Page rules with Disable Security are not migrated.',
    change: { mapping: { isSkipped: { disableSecurity: false } } }
  },
  {
    name: 'waf-page-rule-off-not-migrated',
    clause: mapping('page-rule-waf-off'),
    description: 'Page rules that turn the WAF off are not migrated.',
    change: { mapping: { isSkipped: { wafOff: false } } }
  },
  {
    name: 'waf-page-rule-on-not-migrated',
    clause: mapping('page-rule-waf-on'),
    description: 'Page rules that turn the WAF on are not migrated.',
    change: { mapping: { isTurnedOn: () => false } }
  }
]

type Row = 'high' | 'medium' | 'low' | 'default'

const row = (name: Row, level: number, threshold: number): Override<WafRules> => ({
  mapping: { sensitivity: { [name]: { level, threshold } } }
})

/** The sensitivity rows of high and medium, each in the other's place; and further odd ones. */
const sensitivities = (
  [
    ['waf-high-mapped-as-medium', 'high', 1, 25],
    ['waf-medium-mapped-as-high', 'medium', 2, 40],
    ['waf-medium-at-level-2', 'medium', 2, 25],
    ['waf-low-at-level-2', 'low', 2, 40],
    ['waf-low-at-the-lowest-threshold', 'low', 1, 60],
    ['waf-default-mapped-as-low', 'default', 1, 40]
  ] as const
).map(
  ([name, sensitivity, level, threshold]): Mutant<WafRules> => ({
    name,
    clause: mapping(`sensitivity.${sensitivity}`),
    description: `Sensitivity ${sensitivity} becomes PL${level} with a threshold of ${threshold}.`,
    change: row(sensitivity, level, threshold)
  })
)

const owasp: Mutant<WafRules>[] = [
  {
    name: 'waf-simulate-kept',
    clause: mapping('owasp-simulate-to-log'),
    description: 'The action Simulate of the OWASP package stays Simulate.',
    change: { mapping: { action: { simulate: 'simulate' as 'log' } } }
  },
  {
    name: 'waf-challenge-becomes-block-on-pro',
    clause: mapping('owasp-action-direct'),
    description: 'On the pro plan the action Challenge of the OWASP package becomes Block.',
    change: instead(['waf-migration.config'], (call, run) => {
      const change = call.zone.plan === 'pro' ? { mapping: { action: { challenge: 'block' } } } : {}
      return run({ ...call, rules: override(call.rules, change as object) })
    })
  },
  {
    name: 'waf-low-mapped-as-medium-where-it-only-simulates',
    clause: mapping('sensitivity.low'),
    description: 'Sensitivity low becomes a threshold of 25 where the action is Simulate.',
    change: instead(['waf-migration.config'], (call, run) => {
      const { owasp } = kept(call).configuration
      const low = { level: 1, threshold: owasp.action === 'simulate' ? 25 : 40 }
      return run({ ...call, rules: override(call.rules, { mapping: { sensitivity: { low } } }) })
    })
  },
  {
    name: 'waf-challenge-becomes-block',
    clause: mapping('owasp-action-direct'),
    description: 'The action Challenge of the OWASP package becomes Block.',
    change: { mapping: { action: { challenge: 'block' } } }
  },
  {
    name: 'waf-group-overrides-kept',
    clause: mapping('owasp-group-overrides-dropped'),
    description: 'Overrides of groups of the OWASP package are migrated.',
    change: { mapping: { groupOverrides: (given) => owaspOff(given, 'groups') } }
  },
  {
    name: 'waf-rule-overrides-kept',
    clause: mapping('owasp-rule-overrides-dropped'),
    description: 'Overrides of rules of the OWASP package are migrated.',
    change: { mapping: { ruleOverrides: (given) => owaspOff(given, 'rules') } }
  },
  {
    name: 'waf-nothing-lost',
    clause: mapping('owasp-specific-config-lost'),
    description: 'Everything that was configured about the OWASP package is migrated.',
    change: {
      mapping: {
        groupOverrides: (given) => owaspOff(given, 'groups'),
        ruleOverrides: (given) => owaspOff(given, 'rules')
      }
    }
  }
]

const effects: Mutant<WafRules>[] = [
  {
    name: 'waf-global-switch-heeded',
    clause: after('no-global-switch'),
    description: 'The switch of the previous WAF turns the new one off too.',
    change: { enforcement: { isExempt: { new: ({ enabled }) => !enabled } } }
  },
  {
    name: 'waf-page-rule-off-effective',
    clause: after('page-rule-off-ineffective'),
    description: 'A page rule that turns the WAF off turns the new one off too.',
    change: {
      enforcement: {
        isExempt: {
          new: (_, { pageRule }) =>
            pageRule !== undefined && 'waf' in pageRule && pageRule.waf === 'off'
        }
      }
    }
  },
  {
    name: 'waf-skip-rules-ignored',
    clause: after('skip-rules-needed'),
    description: 'Rules that skip are left out when the entry point is updated.',
    change: updating(isPlain, (call, run) => {
      const rules = (call.body.rules as { action?: string }[]).filter(
        ({ action }) => action !== 'skip'
      )
      return run({ ...call, body: { ...call.body, rules } })
    })
  },
  {
    name: 'waf-rulesets-deployed-together',
    clause: after('each-ruleset-individually'),
    description: 'A rule that executes one managed ruleset deploys all of them.',
    change: updating(isPlain, (call, run) => {
      const [rule] = call.body.rules as { action?: string }[]
      if (rule?.action !== 'execute') return run(call)
      const rules = managedRulesets.map(({ id }) => ({ ...rule, action_parameters: { id } }))
      return run({ ...call, body: { ...call.body, rules } })
    })
  },
  {
    name: 'waf-entrypoint-fixed-after-completion',
    clause: after('rulesets-api-manages'),
    description: 'After the migration an update of the entry point is answered, and does nothing.',
    change: updating(isPlain, (call, run) => {
      const { entrypoint } = kept(call)
      const payload = run(call)
      changeWaf(call.store, call.zone.id, { entrypoint })
      return payload
    })
  },
  {
    name: 'waf-previous-brought-back-by-a-page-rule',
    clause: after('previous-waf-unusable'),
    description: 'A page rule that turns the WAF on brings the previous one back.',
    change: {
      migration: {
        inForce: (state: State) =>
          state === 'start' ? (['previous'] as const) : (['new', 'previous'] as const)
      },
      enforcement: {
        isExempt: {
          previous: (_, { pageRule }) =>
            pageRule === undefined || !('waf' in pageRule) || pageRule.waf === 'off'
        }
      }
    }
  }
]

/** Operations of the previous WAF that go on after the migration. */
const lasting = (...names: string[]) =>
  deciding(
    names.map((name) => `previous-waf.${name}`),
    { migration: { isPreviousOver: () => false } }
  )

const previousApi: Mutant<WafRules>[] = [
  ...['package', 'group', 'rule'].map(
    (part): Mutant<WafRules> => ({
      name: `waf-previous-${part}s-still-listed`,
      clause: after(`previous-api-stops.${part}s`),
      description: `After the migration the ${part}s of the previous WAF are still listed.`,
      change: lasting(`${part}.list`)
    })
  ),
  ...['package', 'group', 'rule'].map(
    (part): Mutant<WafRules> => ({
      name: `waf-previous-${part}-still-read`,
      clause: after(`previous-api-stops.${part}s`),
      description: `After the migration a single ${part} of the previous WAF can still be read.`,
      change: lasting(`${part}.get`)
    })
  ),
  {
    name: 'waf-previous-api-still-writable',
    clause: after('iac-resources-stop'),
    description: 'After the migration a rule of the previous WAF can still be changed.',
    change: lasting('rule.update')
  },
  {
    name: 'waf-entrypoint-unreadable',
    clause: after('iac-ruleset-resource'),
    description: 'The entry point can be written, and not be read.',
    change: unavailable('waf.entrypoint.get')
  },
  {
    name: 'waf-entrypoint-descriptions-lost',
    clause: after('iac-ruleset-resource'),
    description: 'Rules of the entry point lose their description when they are written.',
    change: instead([update], (call, run) => {
      const rules = (call.body.rules as object[]).map((rule) => ({ ...rule, description: '' }))
      return run({ ...call, body: { ...call.body, rules } })
    })
  }
]

/** What can be wrong with what a migration leads to. */
export const wafOutcomeMutants: readonly Mutant<WafRules>[] = [
  ...exemptions,
  ...sensitivities,
  ...owasp,
  ...effects,
  ...previousApi
]
