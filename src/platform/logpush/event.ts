import type { SecurityEvent } from '../security-event.ts'
import type { Store } from '../store.ts'
import type { Logs } from './record.ts'

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

function fieldsOf(event: SecurityEvent) {
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
