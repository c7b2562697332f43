import type { Payload } from '../../kernel/api/envelope.ts'
import type { Call } from '../../kernel/api/operation.ts'
import { type Override, override } from '../../kernel/override.ts'
import type { WafDecisions } from '../decisions.ts'
import { migrationRules } from '../migration.ts'
import { readWaf, type ZoneWaf } from '../zone-waf.ts'
import { instead } from './operation.ts'

type Run = (call: Call) => Payload

/** The update of the entry point, which is how a zone is migrated. */
export const update = 'waf-migration.update-entrypoint'

/** The other calls about a migration. */
export const [check, config, status] = [
  'waf-migration.check',
  'waf-migration.config',
  'waf-migration.status'
]

/** What an update asks for: `pending` or `validation` under either name; undefined for neither. */
export function modeOf({ query }: Call): 'pending' | 'validation' | undefined {
  return migrationRules.mode(query.waf_migration ?? '')
}

/** Operations that judge by other decisions than the rest of the platform. */
export function deciding(names: readonly string[], change: Override<WafDecisions>) {
  return instead(names, (call, run) => run({ ...call, rules: override(call.rules, change) }))
}

/** An update that is done otherwise where it is of a sort, and as it should be elsewhere. */
export function updating(
  isMeant: (call: Call) => boolean,
  otherwise: (call: Call, run: Run) => Payload
) {
  return instead([update], (call, run) => (isMeant(call) ? otherwise(call, run) : run(call)))
}

/** The WAF of a call's zone, as it is kept. */
export function kept({ store, zone }: Call): ZoneWaf {
  return readWaf(store, zone.id)
}
