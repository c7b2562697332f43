import type { Store } from './store.ts'

/** Something the edge did to a request for the sake of safety. */
export type SecurityEvent = {
  /** When, as RFC 3339 in UTC. */
  at: string
  /** The part that did it: `waf`, `previous-waf`, `firewall-rules`, `rate-limit`, … */
  source: string
  /** What it did: `block`, `log`, `challenge`, `skip`, … */
  action: string
  ruleId: string
  rulesetId?: string
  method: string
  host: string
  path: string
  /** The client's address. */
  address: string
  /** The id of the request. */
  ray: string
}

/** Events a zone keeps; beyond that the oldest are forgotten. */
const mostKept = 10_000

/** The table of events, for a store's schema; a zone's events are numbered from 1. */
export const securityEventTables = `
  CREATE TABLE security_event (
    zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (zone, number)
  ) STRICT, WITHOUT ROWID;`

/** Adds an event to those of a zone. */
export function addSecurityEvent(store: Store, zoneId: string, event: SecurityEvent) {
  const last = 'SELECT max(number) AS number FROM security_event WHERE zone = ?'
  const number = (store.first<{ number: number | null }>(last, zoneId)?.number ?? 0) + 1
  const add = 'INSERT INTO security_event (zone, number, record) VALUES (?, ?, ?)'
  store.run(add, zoneId, number, JSON.stringify(event))
  if (number <= mostKept) return
  const forget = 'DELETE FROM security_event WHERE zone = ? AND number <= ?'
  store.run(forget, zoneId, number - mostKept)
}

/** The events of a zone that are kept, oldest first. */
export function listSecurityEvents(store: Store, zoneId: string): SecurityEvent[] {
  const sql = 'SELECT record FROM security_event WHERE zone = ? ORDER BY number'
  return store.all<{ record: string }>(sql, zoneId).map(({ record }) => JSON.parse(record))
}
