import { checked } from '../kernel/api/body.ts'
import { Failure, invalid } from '../kernel/api/failure.ts'
import type { Call, Operation } from '../kernel/api/operation.ts'
import { timestamp } from '../kernel/time.ts'
import type { WafDecisions } from './decisions.ts'
import { proposal } from './mapping.ts'
import { keptAs, migrationFault, type State, stateOf } from './migration.ts'
import { phase, rulesetFields, updated } from './ruleset.ts'
import { changeWaf, readWaf, type ZoneWaf } from './zone-waf.ts'

const entrypointPath = `/zones/:zone/rulesets/phases/${phase}/entrypoint`

type Asked = Call<WafDecisions>

/** How far the zone of a call is. */
export function stateFor({ rules, time }: Asked, { migration }: ZoneWaf): State {
  return stateOf(rules.migration, migration, time.now())
}

function checkPhase({ query, rules }: Asked) {
  if (!rules.migration.isPhaseTwo(query.phase_two))
    throw invalid('phase_two: must be 1 on calls about the migration')
}

/** Fails with what only support can help with. */
function checkMigratable({ rules }: Asked, { configuration }: ZoneWaf) {
  const fault = migrationFault(rules.migration, configuration, rules.limits)
  if (fault === undefined) return
  throw new Failure(400, [{ code: 11_200, message: `The zone cannot be migrated: ${fault}` }])
}

/** The state that the update asks for, once it is certain that the zone may come to it. */
function stateAfter(call: Asked, kept: ZoneWaf): State {
  const { query, rules, zone } = call
  const state = stateFor(call, kept)
  if (query.waf_migration === undefined) {
    if (state !== 'start') return state
    throw invalid(
      'waf_migration: the zone is not migrated yet, so it must be pending or validation'
    )
  }
  checkPhase(call)
  const mode = rules.migration.mode(query.waf_migration)
  if (mode === undefined) throw invalid('waf_migration: must be pending or 1, or validation or 2')
  if (mode === 'validation' && !rules.migration.hasValidation(zone.plan))
    throw new Failure(400, [{ code: 11_201, message: `Validation is not for ${zone.plan} zones` }])
  const next = rules.migration.next(state, mode)
  if (next === undefined)
    throw new Failure(409, [{ code: 11_202, message: `There is no way from ${state} to ${mode}` }])
  if (next === state) return next
  if (!rules.migration.isEligible(kept))
    throw new Failure(400, [{ code: 11_203, message: 'The zone has URI-based overrides' }])
  checkMigratable(call, kept)
  return next
}

/** The migration, and the entry point ruleset that it hands a zone over to. */
export const migrationOperations = {
  'waf-migration.check': {
    method: 'GET',
    path: '/zones/:zone/waf_migration/check',
    permission: 'waf:read',
    run(call) {
      checkPhase(call)
      const kept = readWaf(call.store, call.zone.id)
      const compatible = call.rules.migration.isEligible(kept)
      return { result: { compatible, migration_state: stateFor(call, kept) } }
    }
  },
  'waf-migration.config': {
    method: 'GET',
    path: '/zones/:zone/waf_migration/config',
    permission: 'waf:read',
    run(call) {
      checkPhase(call)
      const kept = readWaf(call.store, call.zone.id)
      checkMigratable(call, kept)
      return { result: proposal(call.rules.mapping, kept.configuration) }
    }
  },
  'waf-migration.update-entrypoint': {
    method: 'PUT',
    path: entrypointPath,
    permission: 'waf:write',
    bodyBytes: ({ limits }) => limits.entrypointBytes,
    run(call) {
      const { store, time, zone, query, body } = call
      const kept = readWaf(store, zone.id)
      const state = stateAfter(call, kept)
      const given = checked(rulesetFields, body)
      if (query.waf_migration !== undefined && given.rules.length === 0)
        throw invalid('rules: a migration needs a configuration')
      const now = time.now()
      const entrypoint = updated(kept.entrypoint, given, timestamp(now))
      const completesAt = now + kept.completionMs
      const migration = keptAs(state, { before: kept.migration, completesAt })
      changeWaf(store, zone.id, { entrypoint, migration })
      return { result: entrypoint }
    }
  },
  'waf-migration.status': {
    method: 'GET',
    path: '/zones/:zone/waf_migration/status',
    permission: 'waf:read',
    run(call) {
      const kept = readWaf(call.store, call.zone.id)
      const state = stateFor(call, kept)
      const wafs = call.rules.migration.inForce(state)
      const isOn = { previous: kept.configuration.enabled, new: true }
      const status = (waf: keyof typeof isOn) => (wafs.includes(waf) && isOn[waf] ? 'on' : 'off')
      const result = { old_waf_status: status('previous'), new_waf_status: status('new') }
      return { result: { migration_state: state, ...result } }
    }
  },
  'waf.entrypoint.get': {
    method: 'GET',
    path: entrypointPath,
    permission: 'waf:read',
    run({ store, zone }) {
      const { entrypoint } = readWaf(store, zone.id)
      if (entrypoint) return { result: entrypoint }
      throw new Failure(404, [{ code: 10_003, message: `There is no entry point in ${phase}` }])
    }
  }
} satisfies Record<string, Operation<WafDecisions>>
