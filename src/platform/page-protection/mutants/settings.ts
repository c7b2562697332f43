import { dashed, mistyped } from '../../kernel/api/wrong-operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { timestamp } from '../../kernel/time.ts'
import { allZones, type Zone } from '../../kernel/zone.ts'
import type { PageProtectionRules } from '../rules.ts'
import { readSettings, type Settings, writeSettings } from '../settings.ts'
import { instead, missing, spoiled, unavailable } from './operation.ts'

const read = 'page-protection.settings.get'
const update = 'page-protection.settings.update'

const fields = [
  'enabled',
  'updated_at',
  'use_service_reporting_endpoint',
  'use_connection_url_path'
]

const fieldMutants = fields.flatMap((field): Mutant<PageProtectionRules>[] => {
  const clause = `page-protection.settings.field.${dashed(field)}`
  return [
    {
      name: `settings-${dashed(field)}-wrong-type`,
      clause,
      description: `The settings' ${field} is ${field === 'updated_at' ? 'a number' : 'a string'}.`,
      change: spoiled([read, update], field, mistyped)
    },
    {
      name: `settings-${dashed(field)}-missing`,
      clause,
      description: `The settings that are read have no ${field}.`,
      change: missing([read], field)
    }
  ]
})

/** Updates that come to such settings are answered as done, and leave the feature as it was. */
const forgotten = (isForgotten: (after: Settings) => boolean) =>
  instead([update], (call, run) => {
    const { enabled } = readSettings(call.store, call.zone.id)
    const payload = run(call)
    const after = readSettings(call.store, call.zone.id)
    if (isForgotten(after)) writeSettings(call.store, call.zone.id, { ...after, enabled })
    return payload
  })

/** The plan that each zone was on when its settings were read for the first time. */
const plans = new Map<string, string>()

/** What can be wrong with the page-protection settings. */
export const settingsMutants: readonly Mutant<PageProtectionRules>[] = [
  ...fieldMutants,
  {
    name: 'settings-updated-at-not-a-time',
    clause: 'page-protection.settings.field.updated-at',
    description: 'The settings say when they were changed in a form of its own.',
    change: spoiled([read, update], 'updated_at', (value) => new Date(value as string).toString())
  },
  {
    name: 'settings-get-unavailable',
    clause: read,
    description: 'Reading the settings is answered with 404.',
    change: unavailable(read)
  },
  {
    name: 'settings-update-unavailable',
    clause: update,
    description: 'Updating the settings is answered with 404.',
    change: unavailable(update)
  },
  {
    name: 'settings-update-without-updated-at',
    clause: update,
    description: 'The update does not return when it happened.',
    change: missing([update], 'updated_at')
  },
  {
    name: 'settings-update-returns-every-field',
    clause: 'page-protection.settings.update-returns-only-two-fields',
    description: 'The update returns all that the read returns.',
    change: instead([update], (call, run) => {
      run(call)
      return { result: readSettings(call.store, call.zone.id) }
    })
  },
  {
    name: 'settings-update-returns-what-was-sent',
    clause: 'page-protection.settings.update-returns-only-two-fields',
    description: 'The update returns every field that it was sent.',
    change: instead([update], (call, run) => ({ result: { ...call.body, ...run(call).result } }))
  },
  {
    name: 'settings-shared-by-all-zones',
    clause: 'page-protection.settings.feature-per-zone',
    description: 'Turning the feature on or off in a zone does so in every zone.',
    change: instead([update], (call, run) => {
      for (const zone of allZones(call.store)) run({ ...call, zone })
      return run(call)
    })
  },
  {
    name: 'settings-shared-by-zones-of-a-plan',
    clause: 'page-protection.settings.feature-per-zone',
    description: 'Turning the feature on or off in a zone does so in every zone on its plan.',
    change: instead([update], (call, run) => {
      const isAlike = ({ plan }: Zone) => plan === call.zone.plan
      for (const zone of allZones(call.store).filter(isAlike)) run({ ...call, zone })
      return run(call)
    })
  },
  {
    name: 'enabling-has-no-effect',
    clause: 'page-protection.enabled.false-to-true',
    description: 'Turning the feature on is answered as done, and it stays off.',
    change: forgotten(({ enabled }) => enabled)
  },
  {
    name: 'disabling-has-no-effect',
    clause: 'page-protection.enabled.true-to-false',
    description: 'Turning the feature off is answered as done, and it stays on.',
    change: forgotten(({ enabled }) => !enabled)
  },
  {
    name: 'disabled-by-a-move-to-another-plan',
    clause: 'page-protection.enabled.true-to-false',
    description: 'The feature is off as soon as its zone has been moved to another plan.',
    change: instead([read], (call, run) => {
      const { result } = run(call)
      const { id, plan } = call.zone
      if (!plans.has(id)) plans.set(id, plan)
      const enabled = (result as Settings).enabled && plans.get(id) === plan
      return { result: { ...result, enabled } }
    })
  },
  {
    name: 'enabled-by-a-policy',
    clause: 'page-protection.enabled.false-to-true',
    description: 'Whoever creates a policy has turned the feature on by it.',
    change: instead(['policy.create'], (call, run) => {
      const settings = readSettings(call.store, call.zone.id)
      writeSettings(call.store, call.zone.id, { ...settings, enabled: true })
      return run(call)
    })
  },
  {
    name: 'settings-of-another-type-are-a-defect',
    clause: 'error.management-envelope',
    description: 'An update whose flag is no boolean is answered with 500.',
    change: instead([update], (call, run) => {
      if (typeof call.body.enabled !== 'boolean') throw new TypeError('enabled is no boolean')
      return run(call)
    })
  },
  {
    name: 'settings-cannot-be-updated',
    clause: 'page-protection.settings.update',
    description: 'Every update is answered with 500, as a defect.',
    change: instead([update], () => {
      throw new TypeError('of no use')
    })
  },
  {
    name: 'updated-at-never-moves',
    clause: 'page-protection.enabled.updated-at-set',
    description: 'An update leaves updated_at as it was.',
    change: instead([update], (call, run) => {
      const { updated_at } = readSettings(call.store, call.zone.id)
      const { result } = run(call)
      const after = readSettings(call.store, call.zone.id)
      writeSettings(call.store, call.zone.id, { ...after, updated_at })
      return { result: { ...result, updated_at } }
    })
  },
  {
    name: 'updated-at-moves-on-a-read',
    clause: 'page-protection.enabled.updated-at-set',
    description: 'Reading the settings sets updated_at.',
    change: instead([read], (call, run) => {
      const { result } = run(call)
      return { result: { ...result, updated_at: timestamp(call.time.now()) } }
    })
  },
  {
    name: 'updated-at-never-moves-on-free',
    clause: 'page-protection.enabled.updated-at-set',
    description: 'On the free plan an update leaves updated_at as it was.',
    change: instead([update], (call, run) => {
      const { updated_at } = readSettings(call.store, call.zone.id)
      const payload = run(call)
      const after = readSettings(call.store, call.zone.id)
      if (call.zone.plan === 'free')
        writeSettings(call.store, call.zone.id, { ...after, updated_at })
      return payload
    })
  }
]
