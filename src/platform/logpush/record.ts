import { extensionPoint } from '../kernel/extension.ts'

/** What can be logged; the document leaves the names open, these are the real service's. */
export const datasets = [
  'http_requests',
  'firewall_events',
  'page_shield_events',
  'workers_trace_events'
] as const

/** The name of a dataset. */
export type Dataset = (typeof datasets)[number]

/** What a record says, by field; moments are whole milliseconds since the epoch. */
export type Fields = Readonly<Record<string, unknown>>

/** Where log push offers to take records. */
export const logsAccess = extensionPoint<Logs>('the logs')

/** Where everything that happens in a zone is told, for the zone's log-push jobs. */
export type Logs = {
  /**
   * Adds a record to a dataset of a zone. Resolves when it, and every record before it, would
   * survive a killed process; it never rejects, since nothing should fail because of its log.
   */
  record(dataset: Dataset, zoneId: string, fields: Fields): Promise<void>
}
