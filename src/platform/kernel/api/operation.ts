import type { Limits } from '../../limits.ts'
import type { Outlets } from '../../logpush/outlets.ts'
import type { WafRules } from '../../waf/waf-rules.ts'
import type { Store } from '../store.ts'
import type { Time } from '../time.ts'
import type { Zone } from '../zone.ts'
import type { Payload } from './envelope.ts'
import type { Permission } from './permission.ts'

/** One call of an operation, with everything known about it before the operation is asked. */
export type Call = {
  store: Store
  time: Time
  limits: Limits
  /** The decisions about WAFs and their migration. */
  waf: WafRules
  /** Where log push may send to. */
  outlets: Outlets
  zone: Zone
  /** Every id of the path by its name there. */
  ids: Readonly<Record<string, string>>
  /** The second id of the path; '' when the path has only the zone's. */
  id: string
  /** The path as called, for messages. */
  path: string
  /** Query parameters; of a repeated one, the first. */
  query: Readonly<Record<string, string>>
  /** The body's members; empty when the operation takes none. */
  body: Readonly<Record<string, unknown>>
}

/** One operation of the management API. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address; `:zone` and `:id` stand for ids. */
  path: string
  permission: Permission
  /** Bytes its body may have, where that is not what bodies usually may. */
  bodyBytes?: (limits: Limits) => number
  /** Does it and returns what to answer, or throws a `Failure`. */
  run(call: Call): Payload
}
