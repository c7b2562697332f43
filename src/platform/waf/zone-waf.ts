import { newId } from '../kernel/id.ts'
import type { Store } from '../kernel/store.ts'
import type { Migration } from './migration.ts'
import { type Configuration, unconfigured } from './previous/configuration.ts'
import type { Entrypoint } from './ruleset.ts'

/** All that is kept about the two WAFs of a zone: one row, so that no change of it is half made. */
export type ZoneWaf = {
  configuration: Configuration
  entrypoint?: Entrypoint
  migration: Migration
  /** Whether the zone is in a partner's account, which in itself changes nothing. */
  isPartner: boolean
  /** How long the zone's migration takes from its update to its end, in milliseconds. */
  completionMs: number
}

/** The table of zones whose WAF was ever touched, for a store's schema. */
export const wafTables = `
  CREATE TABLE waf (
    zone TEXT PRIMARY KEY REFERENCES zone ON DELETE CASCADE,
    revision TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;`

const untouched: ZoneWaf = {
  configuration: unconfigured,
  migration: { state: 'start' },
  isPartner: false,
  completionMs: 0
}

/** The WAF of a zone as it is kept. */
export function readWaf(store: Store, zoneId: string): ZoneWaf {
  const sql = 'SELECT record FROM waf WHERE zone = ?'
  const row = store.first<{ record: string }>(sql, zoneId)
  return row === undefined ? untouched : { ...untouched, ...JSON.parse(row.record) }
}

/** Changes parts of a zone's WAF, all of them or none. */
export function changeWaf(store: Store, zoneId: string, change: Partial<ZoneWaf>) {
  const record = JSON.stringify({ ...readWaf(store, zoneId), ...change })
  store.run(
    `INSERT INTO waf (zone, revision, record) VALUES (?, ?, ?)
     ON CONFLICT (zone) DO UPDATE SET revision = excluded.revision, record = excluded.record`,
    ...[zoneId, newId(), record]
  )
}

/** A word that changes with every change of a zone's WAF; undefined while it is untouched. */
export function revisionOf(store: Store, zoneId: string): string | undefined {
  const sql = 'SELECT revision FROM waf WHERE zone = ?'
  return store.first<{ revision: string }>(sql, zoneId)?.revision
}
