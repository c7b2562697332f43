import type { SecurityEvent } from '../kernel/security-event.ts'
import type { Store } from '../kernel/store.ts'
import type { Fields, Logs } from './record.ts'

const untold = `
  SELECT number, record FROM security_event
  WHERE zone = ?1
    AND number > coalesce((SELECT number FROM logpush_told WHERE zone = ?1), 0)
  ORDER BY number`

/** Tells the logs of those security events of a zone that they have not been told of yet. */
export async function tellEvents({ store, logs }: { store: Store; logs: Logs }, zone: string) {
  const events = store.all<{ number: number; record: string }>(untold, zone)
  const last = events.at(-1)
  if (last === undefined) return
  store.run('INSERT OR REPLACE INTO logpush_told VALUES (?, ?)', zone, last.number)
  const fields = events.map(({ record }) => fieldsOf(JSON.parse(record)))
  await Promise.all(fields.map((one) => logs.record('firewall_events', zone, one)))
}

/** Passes over the events a zone has had so far: a job is told of what comes after it. */
export function passOverEvents(store: Store, zone: string) {
  store.run(
    `INSERT OR REPLACE INTO logpush_told
     SELECT zone, max(number) FROM security_event WHERE zone = ? GROUP BY zone`,
    zone
  )
}

function fieldsOf(event: SecurityEvent): Fields {
  return {
    Action: event.action,
    ClientIP: event.address,
    ClientRequestHost: event.host,
    ClientRequestMethod: event.method,
    ClientRequestPath: event.path,
    Datetime: Date.parse(event.at),
    RayID: event.ray,
    RuleID: event.ruleId,
    RulesetID: event.rulesetId,
    Source: event.source
  }
}
