import { nearest } from '../kernel/nearest.ts'
import type { Dataset } from './record.ts'

/**
 * What a field holds. Filters can ask about text, integers, flags and lists of text; moments, which
 * are written in the job's format, and values with an inner structure are not theirs.
 */
export type FieldType = 'text' | 'integer' | 'flag' | 'list' | 'moment' | 'opaque'

const request = {
  ClientIP: 'text',
  ClientRequestHost: 'text',
  ClientRequestMethod: 'text',
  ClientRequestPath: 'text',
  RayID: 'text'
} as const

/** The fields of each dataset. The document leaves them open; the names are the real service's. */
export const fieldsOf: Readonly<Record<Dataset, Readonly<Record<string, FieldType>>>> = {
  http_requests: {
    ...request,
    ClientRequestBytes: 'integer',
    ClientRequestProtocol: 'text',
    ClientRequestReferer: 'text',
    ClientRequestScheme: 'text',
    ClientRequestURI: 'text',
    ClientRequestUserAgent: 'text',
    ClientSrcPort: 'integer',
    EdgeEndTimestamp: 'moment',
    EdgeResponseBytes: 'integer',
    EdgeResponseContentType: 'text',
    EdgeResponseStatus: 'integer',
    EdgeStartTimestamp: 'moment',
    ZoneName: 'text'
  },
  firewall_events: {
    ...request,
    Action: 'opaque',
    Datetime: 'moment',
    RuleID: 'opaque',
    RulesetID: 'opaque',
    Source: 'opaque'
  },
  page_shield_events: {
    Action: 'text',
    CSPDirective: 'text',
    Host: 'text',
    PageURL: 'text',
    PolicyID: 'text',
    Timestamp: 'moment',
    URL: 'text',
    URLHost: 'text'
  },
  workers_trace_events: {
    CPUTimeMs: 'integer',
    Entrypoint: 'text',
    Event: 'opaque',
    EventTimestampMs: 'integer',
    EventType: 'text',
    Exceptions: 'opaque',
    Logs: 'opaque',
    Outcome: 'text',
    ScriptName: 'text',
    ScriptTags: 'list',
    WallTimeMs: 'integer'
  }
}

/** What a field of a dataset holds; undefined when the dataset has no such field. */
export function typeOf(dataset: Dataset, name: string): FieldType | undefined {
  const types = fieldsOf[dataset]
  return Object.hasOwn(types, name) ? types[name] : undefined
}

/** What to say to somebody who asks for a field that a dataset does not have. */
export function unknownField(name: string, dataset: Dataset): string {
  const near = nearest(name.slice(0, 100), Object.keys(fieldsOf[dataset]))
  return `${dataset} has no field ${name.slice(0, 100)}; the nearest are ${near.join(', ')}`
}
