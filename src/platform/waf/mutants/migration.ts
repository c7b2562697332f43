import type { Call } from '../../kernel/api/operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import type { State } from '../migration.ts'
import { migrationRules as migration } from '../migration.ts'
import type { WafRules } from '../rules.ts'
import { changeWaf } from '../zone-waf.ts'
import { kept, modeOf, updating } from './call.ts'

const transition = (name: string) => `waf-migration.transition.${name}`
const isOn = (plan: string) => (call: Call) => call.zone.plan === plan && modeOf(call) === 'pending'

/** An update that is answered as done, and leaves the migration as it was. */
const forgotten = (isForgotten: (call: Call) => boolean) =>
  updating(isForgotten, (call, run) => {
    const { migration } = kept(call)
    const payload = run(call)
    changeWaf(call.store, call.zone.id, { migration })
    return payload
  })

/** WAFs that are in force in one state otherwise than they should be. */
const inForce = (state: State, ...wafs: ('previous' | 'new')[]) => ({
  migration: {
    inForce: (asked: State) => (asked === state ? wafs : migration.inForce(asked))
  }
})

const completions = ['pro', 'business', 'enterprise'].map(
  (plan): Mutant<WafRules> => ({
    name: `waf-pending-forgotten-on-${plan}`,
    clause: transition(`start-to-complete.${plan}`),
    description: `On the ${plan} plan the update with pending leaves the zone at start.`,
    change: forgotten(isOn(plan))
  })
)

const validations = ['free', 'pro', 'business'].map(
  (plan): Mutant<WafRules> => ({
    name: `waf-validation-on-${plan}`,
    clause: transition(`validation-not-available.${plan}`),
    description: `Validation mode is available on the ${plan} plan too.`,
    change: {
      migration: { hasValidation: (given) => given === plan || migration.hasValidation(given) }
    }
  })
)

const states: Mutant<WafRules>[] = [
  {
    name: 'waf-validation-forgotten',
    clause: transition('start-to-validation'),
    description: 'The update with validation is answered, and the zone stays at start.',
    change: forgotten((call) => modeOf(call) === 'validation')
  },
  {
    name: 'waf-validation-without-the-previous',
    clause: transition('validation-both-enabled'),
    description: 'In validation mode only the new WAF is enabled.',
    change: inForce('validation', 'new')
  },
  {
    name: 'waf-validation-without-the-new',
    clause: transition('validation-both-enabled'),
    description: 'In validation mode only the previous WAF is enabled.',
    change: inForce('validation', 'previous')
  },
  {
    name: 'waf-validation-twice-completes',
    clause: transition('validation-both-enabled'),
    description: 'In validation mode one more update with validation completes the migration.',
    change: {
      migration: {
        next: (state: State, mode) =>
          state === 'validation' ? 'pending' : migration.next(state, mode)
      }
    }
  },
  {
    name: 'waf-validation-previous-first',
    clause: transition('validation-new-runs-first'),
    description: 'In validation mode the previous WAF runs before the new one.',
    change: inForce('validation', 'previous', 'new')
  },
  {
    name: 'waf-validation-never-ends',
    clause: transition('validation-to-complete'),
    description: 'From validation mode the update with pending leads nowhere.',
    change: forgotten((call) => kept(call).migration.state === 'validation')
  },
  {
    name: 'waf-completed-without-a-configuration',
    clause: transition('validation-to-complete'),
    description: 'From validation mode an update without a configuration completes the migration.',
    change: updating(
      ({ body }) => body.rules === undefined,
      (call, run) =>
        run({ ...call, body: { name: 'as before', rules: kept(call).entrypoint?.rules ?? [] } })
    )
  },
  {
    name: 'waf-previous-left-enabled',
    clause: transition('complete-disables-previous'),
    description: 'The previous WAF stays enabled when the migration is complete.',
    change: inForce('complete', 'new', 'previous')
  },
  {
    name: 'waf-completed-by-what-is-refused',
    clause: transition('complete-disables-previous'),
    description: 'An update whose rules are refused completes the migration all the same.',
    change: updating(
      (call) => modeOf(call) === 'pending',
      (call, run) => {
        changeWaf(call.store, call.zone.id, { migration: { state: 'pending', completesAt: 0 } })
        return run(call)
      }
    )
  },
  {
    name: 'waf-both-off-for-a-moment',
    clause: transition('complete-disables-previous'),
    description: 'The previous WAF is disabled some time before the new one is enabled.',
    change: {
      migration: {
        ...inForce('pending').migration,
        isComplete: (given, now) => migration.isComplete(given, now - 300)
      }
    }
  },
  {
    name: 'waf-both-off-after-completion',
    clause: transition('complete-disables-previous'),
    description: 'When the migration is complete neither WAF is enabled.',
    change: inForce('complete')
  },
  {
    name: 'waf-pro-needs-two-updates',
    clause: transition('single-update-completes'),
    description: 'On Pro and Business a first update with pending enables both WAFs.',
    change: updating(
      (call) => modeOf(call) === 'pending' && kept(call).migration.state === 'start',
      (call, run) => {
        const payload = run(call)
        changeWaf(call.store, call.zone.id, { migration: { state: 'validation' } })
        return payload
      }
    )
  },
  {
    name: 'waf-migration-reversible',
    clause: transition('irreversible'),
    description: 'An update with validation takes a migrated zone back to validation mode.',
    change: {
      migration: { next: (_: State, mode) => (mode === 'pending' ? 'pending' : mode) }
    }
  },
  {
    name: 'waf-migration-undone-by-an-update',
    clause: transition('irreversible'),
    description: 'An update without waf_migration takes a migrated zone back to the start.',
    change: updating(
      (call) => call.query.waf_migration === undefined,
      (call, run) => {
        const payload = run(call)
        changeWaf(call.store, call.zone.id, { migration: { state: 'start' } })
        return payload
      }
    )
  }
]

/** What can be wrong with the way a zone comes from the previous WAF to the new one. */
export const wafMigrationMutants: readonly Mutant<WafRules>[] = [
  ...completions,
  ...validations,
  ...states
]
