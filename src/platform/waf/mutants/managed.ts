import { Failure } from '../../kernel/api/failure.ts'
import type { Call } from '../../kernel/api/operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { owaspRuleset } from '../managed-ruleset.ts'
import type { WafRules } from '../rules.ts'
import type { Entrypoint, Overrides } from '../ruleset.ts'
import { changeWaf } from '../zone-waf.ts'
import { kept, modeOf, updating } from './call.ts'
import { instead } from './operation.ts'

type Given = {
  action?: string
  expression: string
  action_parameters: { id?: string; overrides?: Overrides; rulesets?: string[] }
}

/** An update in which the overrides of managed rulesets are others than they were sent. */
const overriding = (isMeant: (call: Call) => boolean, alter: (overrides: Overrides) => Overrides) =>
  updating(isMeant, (call, run) => {
    const rules = (call.body.rules as Given[]).map((rule) => {
      const { overrides } = rule.action_parameters
      if (!overrides) return rule
      const action_parameters = { ...rule.action_parameters, overrides: alter(overrides) }
      return { ...rule, action_parameters }
    })
    return run({ ...call, body: { ...call.body, rules } })
  })

const overrideDelete: string = 'previous-waf.override.delete'

const isPlain = (call: Call) => modeOf(call) === undefined

/** Alters what is said of the rule that acts on the sum of all scores. */
const scored =
  (alter: (one: NonNullable<Overrides['rules']>[number]) => object) =>
  ({ rules = [], ...rest }: Overrides): Overrides => ({
    ...rest,
    rules: rules.map((one) => (one.score_threshold === undefined ? one : { ...one, ...alter(one) }))
  })

/** Gives the rule that acts on the sum a threshold that nothing comes to, unless it has one. */
function withoutDefault(rule: Given): Given {
  const { id, overrides = {} } = rule.action_parameters
  const { scoreRule = '' } = owaspRuleset
  const { rules = [] } = overrides
  const own = rules.find((one) => one.id === scoreRule)
  if (id !== owaspRuleset.id || own?.score_threshold !== undefined) return rule
  const others = rules.filter((one) => one !== own)
  const never = { ...own, id: scoreRule, score_threshold: 1_000_000 }
  const action_parameters = { id, overrides: { ...overrides, rules: [...others, never] } }
  return { ...rule, action_parameters }
}

/** What can be wrong with managed rulesets, and with the API of either WAF. */
export const wafManagedMutants: readonly Mutant<WafRules>[] = [
  {
    name: 'waf-changes-never-in-force',
    clause: 'waf-migration.after.rulesets-api-manages',
    description: 'Requests are held against the WAFs as these were at the first of them.',
    change: { enforcement: { isInForce: () => true } }
  },
  {
    name: 'waf-overrides-of-a-ruleset-are-one',
    clause: 'waf-migration.after.rulesets-api-manages',
    besides: ['waf-migration.after.iac-ruleset-resource'],
    description: 'Of several rules that execute one ruleset each has the overrides of the first.',
    change: updating(isPlain, (call, run) => {
      const all = call.body.rules as Given[]
      const rules = all.map((rule) => {
        const { id } = rule.action_parameters
        const first = all.find((one) => one.action_parameters.id === id)!
        return { ...rule, action_parameters: first.action_parameters }
      })
      return run({ ...call, body: { ...call.body, rules } })
    })
  },
  {
    name: 'waf-levels-stay-on',
    clause: 'waf-migration.after.rulesets-api-manages',
    description: 'Paranoia levels that an update of the entry point turns off stay on.',
    change: overriding(isPlain, ({ categories: _, ...rest }) => rest)
  },
  {
    name: 'waf-threshold-not-included',
    clause: 'waf-migration.after.rulesets-api-manages',
    description: 'A request whose score is the threshold is no attack yet.',
    change: overriding(
      isPlain,
      scored(({ score_threshold = 0 }) => ({ score_threshold: score_threshold + 1 }))
    )
  },
  {
    name: 'waf-no-threshold-by-default',
    clause: 'waf-migration.after.rulesets-api-manages',
    besides: ['waf-migration.after.iac-ruleset-resource'],
    description: 'The OWASP ruleset never acts where no threshold is given.',
    change: updating(isPlain, (call, run) => {
      const rules = (call.body.rules as Given[]).map(withoutDefault)
      return run({ ...call, body: { ...call.body, rules } })
    })
  },
  {
    name: 'waf-entrypoint-by-its-id-of-pro-only',
    clause: 'waf-migration.after.rulesets-api-manages',
    description: 'An entry point is found by its id on the pro plan only.',
    change: instead(['waf.ruleset.get'], (call, run) => {
      if (call.zone.plan === 'pro' || call.id !== kept(call).entrypoint?.id) return run(call)
      return run({ ...call, id: '' })
    })
  },
  {
    name: 'waf-simulated-score-blocks',
    clause: 'waf-migration.mapping.owasp-simulate-to-log',
    description: 'The OWASP ruleset blocks where the configuration that is sent says Log.',
    change: overriding(
      (call) => modeOf(call) === 'pending',
      scored(({ action }) => ({ action: action === 'log' ? 'block' : action }))
    )
  },
  {
    name: 'waf-override-never-deleted',
    clause: 'waf-migration.transition.override-deleted-makes-eligible',
    description: 'The deletion of a URI-based override is answered, and does nothing.',
    change: instead([overrideDelete], ({ ids }) => ({ result: { id: ids.id } }))
  },
  {
    name: 'waf-override-deleted-by-who-may-read',
    clause: 'auth.permissions-must-match',
    description: 'A URI-based override can be deleted by who may only read.',
    change: { operations: { [overrideDelete]: { permission: 'waf:read' } } }
  },
  {
    name: 'waf-previous-groups-are-a-defect',
    clause: 'waf-migration.after.previous-api-stops.groups',
    description: 'The groups of the previous WAF cannot be listed for a defect.',
    change: instead(['previous-waf.group.list'], () => {
      throw new Failure(500, [{ code: 10_000, message: 'Internal error' }])
    })
  },
  {
    name: 'waf-skip-rules-of-one-ruleset',
    clause: 'waf-migration.after.skip-rules-needed',
    description: 'An exception that names several rulesets is one of the first of them.',
    change: updating(isPlain, (call, run) => {
      const rules = (call.body.rules as Given[]).map((rule) => {
        const { rulesets } = rule.action_parameters
        return rulesets ? { ...rule, action_parameters: { rulesets: rulesets.slice(0, 1) } } : rule
      })
      return run({ ...call, body: { ...call.body, rules } })
    })
  },
  {
    name: 'waf-skip-rules-are-a-defect',
    clause: 'waf-migration.after.skip-rules-needed',
    description: 'A request that an exception is for ends in a 500.',
    change: updating(isPlain, (call, run) => {
      const answer = run(call)
      const { entrypoint } = kept(call)
      // A skip rule that names nothing to skip.
      const broken = (entrypoint?.rules ?? []).map((rule) =>
        'ruleset' in rule.action_parameters ? { ...rule, action_parameters: {} } : rule
      )
      const rules = broken as Entrypoint['rules']
      if (entrypoint) changeWaf(call.store, call.zone.id, { entrypoint: { ...entrypoint, rules } })
      return answer
    })
  },
  {
    name: 'waf-log-rules-migrated-as-bypass',
    clause: 'waf-migration.mapping.firewall-bypass',
    description: 'Firewall rules that only log become exceptions of the new WAF, too.',
    change: { mapping: { isSkipped: { bypass: () => true } } }
  },
  {
    name: 'waf-off-package-migrated-as-on',
    clause: 'waf-migration.config',
    description: 'The OWASP ruleset is offered as enabled where the OWASP package was off.',
    change: instead(['waf-migration.config'], (call, run) => {
      const { result, ...rest } = run(call)
      if (kept(call).configuration.owasp.sensitivity !== 'off') return { result, ...rest }
      const rules = (result as { rules: object[] }).rules.map((rule) => ({
        ...rule,
        enabled: true
      }))
      return { result: { ...result, rules }, ...rest }
    })
  },
  {
    name: 'waf-long-offers-refused',
    clause: 'waf-migration.config-accepted-by-update',
    description:
      'A rule is refused whose expression is longer than 4 KB, also where it was offered.',
    change: updating(
      ({ body: { rules } }) =>
        Array.isArray(rules) && rules.some((rule: Given) => `${rule.expression}`.length > 4_100),
      () => {
        throw new Failure(400, [{ code: 1_004, message: 'rules: an expression is too long' }])
      }
    )
  }
]
