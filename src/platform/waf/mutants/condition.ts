import { Failure, invalid } from '../../kernel/api/failure.ts'
import type { Call } from '../../kernel/api/operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { override } from '../../kernel/override.ts'
import { migrationRules as migration } from '../migration.ts'
import type { WafRules } from '../rules.ts'
import { check, config, deciding, kept, modeOf, status, update, updating } from './call.ts'
import { instead } from './operation.ts'

const refusing = (name: string, isRefused: (call: Call) => boolean) =>
  instead([name], (call, run) => {
    if (isRefused(call)) throw invalid('phase_two: there is no such parameter')
    return run(call)
  })

/** Every field a rule may leave out. */
const omittable = ['id', 'version', 'ref'] as const

const parameters: Mutant<WafRules>[] = [
  {
    name: 'waf-phase-two-refused-by-status',
    clause: 'waf-migration.param-phase-two',
    description: 'The status refuses phase_two=1 as a parameter it does not know.',
    change: refusing(status!, ({ query }) => query.phase_two !== undefined)
  },
  {
    name: 'waf-phase-two-is-another-number',
    clause: 'versioning.phase-two-param',
    description: 'Migration calls are only served with phase_two=2.',
    change: { migration: { isPhaseTwo: (value) => value === '2' } }
  },
  {
    name: 'waf-migration-1-unknown',
    clause: 'waf-migration.param-waf-migration-pending-synonym',
    description: 'The value 1 of waf_migration is refused.',
    change: {
      migration: { mode: (value) => (value === '1' ? undefined : migration.mode(value)) }
    }
  },
  {
    name: 'waf-migration-2-is-pending',
    clause: 'waf-migration.param-waf-migration-validation-synonym',
    description: 'The value 2 of waf_migration completes the migration.',
    change: {
      migration: { mode: (value) => (value === '2' ? 'pending' : migration.mode(value)) }
    }
  },
  {
    name: 'waf-empty-ids-refused',
    clause: 'waf-migration.config-accepted-by-update',
    description: 'The update refuses the empty ids that the proposed configuration has.',
    change: updating(
      ({ body }) => (body.rules as { id?: string }[]).some(({ id }) => id === ''),
      () => {
        throw invalid('rules.0.id: must not be empty')
      }
    )
  },
  {
    name: 'waf-validation-wants-every-field',
    clause: 'waf-migration.validation-may-omit-id-version-ref',
    description: 'The validation update refuses rules without id, version and ref.',
    change: updating(
      (call) =>
        modeOf(call) === 'validation' &&
        (call.body.rules as object[]).some((rule) => omittable.some((field) => !(field in rule))),
      () => {
        throw invalid('rules.0: must have an id, a version and a ref')
      }
    )
  }
]

/** Zones that were once told that they cannot migrate. */
const told = new WeakMap<object, Set<string>>()
const toldIn = (store: object) => told.get(store) ?? told.set(store, new Set()).get(store)!

const isBusiness = (call: Call) => call.zone.plan === 'business' && modeOf(call) === 'pending'

const eligibility: Mutant<WafRules>[] = [
  {
    name: 'waf-check-always-compatible',
    clause: 'waf-migration.eligibility.check-false-for-ineligible',
    description: 'The compatibility check says of every zone that it is compatible.',
    change: instead([check!], (call, run) => ({
      result: { ...run(call).result, compatible: true }
    }))
  },
  {
    name: 'waf-check-as-in-the-first-phase',
    clause: 'waf-migration.eligibility.check-true-for-eligible',
    description:
      'The compatibility check says of zones with Bypass rules that they cannot migrate.',
    change: instead([check!], (call, run) => {
      const { result } = run(call)
      const { firewallRules } = kept(call).configuration
      return firewallRules.length > 0 ? { result: { ...result, compatible: false } } : { result }
    })
  },
  {
    name: 'waf-overrides-not-checked',
    clause: 'waf-migration.transition.ineligible-cannot-migrate',
    description: 'The update migrates zones with URI-based overrides too.',
    change: deciding([update], { migration: { isEligible: () => true } })
  },
  {
    name: 'waf-single-override-let-through',
    clause: 'waf-migration.eligibility.uri-override-excluded',
    description: 'A zone with one URI-based override can be migrated.',
    change: {
      migration: { isEligible: ({ configuration }) => configuration.uriOverrides.length < 2 }
    }
  },
  {
    name: 'waf-deleted-overrides-remembered',
    clause: 'waf-migration.transition.override-deleted-makes-eligible',
    description: 'A zone that ever had URI-based overrides can never be migrated.',
    change: instead([check!, update], (call, run) => {
      const known = toldIn(call.store)
      if (kept(call).configuration.uriOverrides.length > 0) known.add(call.zone.id)
      if (modeOf(call) === undefined || !known.has(call.zone.id)) return run(call)
      throw new Failure(400, [{ code: 11_203, message: 'The zone has had URI-based overrides' }])
    })
  },
  {
    name: 'waf-partner-zones-left-out',
    clause: 'waf-migration.eligibility.all-zones-incl-partner',
    description: 'Zones in the accounts of partners cannot be migrated.',
    change: deciding([update], {
      migration: { isEligible: (zone) => !zone.isPartner && migration.isEligible(zone) }
    })
  },
  {
    name: 'waf-free-zones-left-out',
    clause: 'waf-migration.eligibility.all-zones-incl-partner',
    description: 'Zones on the free plan cannot be migrated.',
    change: updating(
      (call) => call.zone.plan === 'free' && modeOf(call) === 'pending',
      () => {
        throw new Failure(400, [{ code: 11_203, message: 'Free zones cannot be migrated' }])
      }
    )
  },
  {
    name: 'waf-business-zones-left-out',
    clause: 'waf-migration.eligibility.all-zones-incl-partner',
    description: 'Zones on the business plan cannot be migrated.',
    change: updating(isBusiness, () => {
      throw new Failure(400, [{ code: 11_203, message: 'Business zones cannot be migrated' }])
    })
  }
]

const excess = (name: string) => `waf-migration.limit.${name}`

const limits: Mutant<WafRules>[] = [
  {
    name: 'waf-201-rules-taken',
    clause: excess('firewall-rules'),
    description: 'A zone with 201 firewall rules to migrate can be migrated.',
    change: { limits: { migratedFirewallRules: 201 } }
  },
  {
    name: 'waf-201-rules-taken-by-the-update',
    clause: excess('firewall-rules'),
    description: 'Only the configuration is refused where there are 201 rules to migrate.',
    change: instead([update], (call, run) => {
      const anyNumber = { limits: { migratedFirewallRules: Infinity } }
      return run({ ...call, rules: override(call.rules, anyNumber) })
    })
  },
  {
    name: 'waf-200-rules-refused',
    clause: excess('firewall-rules'),
    description: 'A zone with 200 firewall rules to migrate cannot be migrated.',
    change: { limits: { migratedFirewallRules: 199 } }
  },
  {
    name: 'waf-expression-length-in-characters',
    clause: excess('expression-length'),
    description: 'The length of an expression is counted in characters, and not in bytes.',
    change: { migration: { expressionBytes: (expression) => [...expression].length } }
  },
  {
    name: 'waf-long-expression-behind-a-short-one-taken',
    clause: excess('expression-length'),
    description: 'Of several firewall rules only the first may not be too long to be migrated.',
    change: instead([config!, update], (call, run) => {
      const [first] = kept(call).configuration.firewallRules
      const isShort = first !== undefined && Buffer.byteLength(first.expression) <= 4_096
      const anySize = { limits: { migratedExpressionBytes: Infinity } }
      return run(isShort ? { ...call, rules: override(call.rules, anySize) } : call)
    })
  },
  {
    name: 'waf-expression-of-5000-bytes-taken',
    clause: excess('expression-length'),
    description: 'A firewall rule with an expression of 5,000 bytes can be migrated.',
    change: { limits: { migratedExpressionBytes: 5_000 } }
  },
  {
    name: 'waf-expression-of-4000-bytes-refused',
    clause: excess('expression-length'),
    description: 'An expression of 4,000 bytes is too long to be migrated.',
    change: { limits: { migratedExpressionBytes: 3_999 } }
  },
  {
    name: 'waf-rules-beyond-200-left-out',
    clause: 'error.migration-over-200-rules',
    description: 'Of more than 200 firewall rules 200 are migrated, and the others are left out.',
    change: {
      limits: { migratedFirewallRules: Infinity },
      ...instead([config!], (call, run) => {
        const result = run(call).result as { rules: object[] }
        const { length } = result.rules
        const rules = result.rules.filter((_, index) => index < 200 || index >= length - 2)
        return { result: { ...result, rules } }
      })
    }
  },
  {
    name: 'waf-long-expressions-left-out',
    clause: 'error.migration-expression-over-4kb',
    description: 'Firewall rules whose expression is too long are left out of a migration.',
    change: {
      limits: { migratedExpressionBytes: Infinity },
      mapping: {
        isSkipped: {
          bypass: ({ action, expression }) =>
            action === 'bypass' && Buffer.byteLength(expression) <= 4_096
        }
      }
    }
  }
]

/** What can be wrong with the conditions under which a zone is migrated. */
export const wafConditionMutants: readonly Mutant<WafRules>[] = [
  ...parameters,
  ...eligibility,
  ...limits
]
