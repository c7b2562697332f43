import type { Plan } from '../kernel/plan.ts'
import type { WafLimits } from './limits.ts'
import type { Configuration } from './previous/configuration.ts'

/** How far a migration is; `pending` is saved and under way, `complete` is for good. */
export type State = 'start' | 'validation' | 'pending' | 'complete'

/** What an update can ask for; the document's `1` is `pending`, its `2` is `validation`. */
export type Mode = 'pending' | 'validation'

/** One of the two WAFs. */
export type Waf = 'previous' | 'new'

/** A migration as it is kept; one that is pending is complete from a moment on. */
export type Migration =
  | { state: 'start' | 'validation' }
  | { state: 'pending' /** Milliseconds since the epoch. */; completesAt: number }

/** What is known of a zone that asks to be migrated. */
export type Applicant = { configuration: Configuration; isPartner: boolean }

const modes = new Map<string, Mode>([
  ['pending', 'pending'],
  ['1', 'pending'],
  ['validation', 'validation'],
  ['2', 'validation']
])

/** The decisions that make the migration what the document says it is. */
export const migrationRules = {
  /** What a value of `waf_migration` asks for; undefined for one that is none. */
  mode: (value: string): Mode | undefined => modes.get(value),
  /** Whether a value of `phase_two` is the one that migrations are called with. */
  isPhaseTwo: (value: string | undefined): boolean => value === '1',
  hasValidation: (plan: Plan): boolean => plan === 'enterprise',
  /** A zone can migrate, a partner's too, unless it has URI-based overrides. */
  isEligible: ({ configuration }: Applicant): boolean => configuration.uriOverrides.length === 0,
  /** Whether a kept migration has come to its end. */
  isComplete: (migration: Migration, now: number): boolean =>
    migration.state === 'pending' && now >= migration.completesAt,
  /** The state an update leads to; undefined where there is no way. */
  next: (state: State, mode: Mode): State | undefined => {
    if (mode === 'pending') return state === 'complete' ? 'complete' : 'pending'
    return state === 'start' || state === 'validation' ? 'validation' : undefined
  },
  /** The WAFs that look at requests in a state, in the order in which they do. */
  inForce: (state: State): readonly Waf[] => order[state],
  /** Whether the management API of the previous WAF has stopped working. */
  isPreviousOver: (state: State): boolean => state === 'complete',
  /** How large an expression is, in bytes. */
  expressionBytes: (expression: string): number => Buffer.byteLength(expression)
}

const order: Record<State, readonly Waf[]> = {
  start: ['previous'],
  validation: ['new', 'previous'],
  pending: ['new', 'previous'],
  complete: ['new']
}

/** The shape of `migrationRules`. */
export type MigrationRules = typeof migrationRules

/** How far a kept migration is at a moment. */
export function stateOf(rules: MigrationRules, migration: Migration, now: number): State {
  return rules.isComplete(migration, now) ? 'complete' : migration.state
}

/** The migration as it is to be kept once it is in a state; one under way ends when it would. */
export function keptAs(
  state: State,
  { before, completesAt }: { before: Migration; completesAt: number }
): Migration {
  if (state === 'start' || state === 'validation') return { state }
  return before.state === 'pending' ? before : { state: 'pending', completesAt }
}

/** What keeps a configuration from being migrated, in words, though the zone is eligible. */
export function migrationFault(
  rules: MigrationRules,
  { firewallRules }: Configuration,
  { migratedFirewallRules, migratedExpressionBytes }: WafLimits
): string | undefined {
  const migrated = firewallRules.filter(({ action }) => action === 'bypass')
  if (migrated.length > migratedFirewallRules)
    return `${migrated.length} firewall rules are more than ${migratedFirewallRules}`
  const isLong = ({ expression }: { expression: string }) =>
    rules.expressionBytes(expression) > migratedExpressionBytes
  const long = migrated.find(isLong)
  return long && `the expression of firewall rule ${long.id} is longer than 4 KB`
}
