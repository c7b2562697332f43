import type { Egress } from '../egress/egress.ts'
import type { Store } from '../store.ts'
import type { Time } from '../time.ts'
import type { Zone } from '../zone.ts'
import type { Payload } from './envelope.ts'

/** What a caller must be allowed to do; the document leaves the names open. */
export type Permission = `${string}:${'read' | 'write'}`

/** One call of an operation, with everything known about it before the operation is asked. */
export type Call<Own = any, Options = any> = {
  store: Store
  time: Time
  egress: Egress
  /** The rules of the part that the operation is of. */
  rules: Own
  /** How the platform was started. */
  options: Options
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
export type Operation<Own = any, Options = any> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address; `:zone` and `:id` stand for ids. */
  path: string
  permission: Permission
  /** Bytes its body may have, where that is not what bodies usually may. */
  bodyBytes?: (rules: Own) => number
  /** What the ids of its path may be, where that is not what ids usually are. */
  isId?: (text: string) => boolean
  /** Does it and returns what to answer, or throws a `Failure`. */
  run(call: Call<Own, Options>): Payload
}
