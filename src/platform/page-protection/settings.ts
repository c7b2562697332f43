import * as v from 'valibot'
import { checked } from '../kernel/api/body.ts'
import type { Operation } from '../kernel/api/operation.ts'
import type { Store } from '../kernel/store.ts'
import { timestamp } from '../kernel/time.ts'

/** A zone's page-protection settings, as the read operation returns them. */
export type Settings = {
  enabled: boolean
  /** RFC 3339, UTC. */
  updated_at: string
  use_service_reporting_endpoint: boolean
  use_connection_url_path: boolean
}

// Beyond `enabled` the document leaves open what can be changed.
const update = v.object({
  enabled: v.boolean(),
  use_service_reporting_endpoint: v.optional(v.boolean()),
  use_connection_url_path: v.optional(v.boolean())
})

/** Settings of a zone that nobody has changed yet. */
export function firstSettings({ enabled, now }: { enabled: boolean; now: number }): Settings {
  return {
    enabled,
    updated_at: timestamp(now),
    use_service_reporting_endpoint: true,
    use_connection_url_path: false
  }
}

/** The settings of a zone that exists. */
export function readSettings(store: Store, zone: string): Settings {
  const sql = 'SELECT settings FROM zone WHERE id = ?'
  return JSON.parse(store.first<{ settings: string }>(sql, zone)!.settings)
}

/** Replaces the settings of a zone. */
export function writeSettings(store: Store, zone: string, settings: Settings) {
  store.run('UPDATE zone SET settings = ? WHERE id = ?', JSON.stringify(settings), zone)
}

/** Reads and changes a zone's page-protection settings. */
export const settingsOperations = {
  'page-protection.settings.get': {
    method: 'GET',
    path: '/zones/:zone/page_shield',
    permission: 'page-protection:read',
    run: ({ store, zone }) => ({ result: readSettings(store, zone.id) })
  },
  'page-protection.settings.update': {
    method: 'PUT',
    path: '/zones/:zone/page_shield',
    permission: 'page-protection:write',
    run({ store, time, zone, body }) {
      const before = readSettings(store, zone.id)
      // Two changes within a millisecond still follow each other.
      const updatedAt = Math.max(time.now(), Date.parse(before.updated_at) + 1)
      const after = { ...before, ...checked(update, body), updated_at: timestamp(updatedAt) }
      writeSettings(store, zone.id, after)
      return { result: { enabled: after.enabled, updated_at: after.updated_at } }
    }
  }
} satisfies Record<string, Operation>
