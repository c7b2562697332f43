import type { FlatSchema } from './schema.ts'
import { violated } from './violated.ts'

/**
 * Whether a value names the request that it is in: a service that has seen it refuses another
 * request with the same, or answers as before. Six letters more have to be taken, or another UUID.
 */
export function isKeyOfRequest(name: string, schema: FlatSchema, value: unknown): boolean {
  if (!/^(x[-_])?idempotency[-_]?(key|id)$/i.test(name) || typeof value !== 'string') return false
  const { format, enum: listed, const: fixed } = schema.keywords
  if (listed !== undefined || fixed !== undefined) return false
  const isOther = format === undefined || format.value === 'uuid'
  const next = format === undefined ? `${value}abcdef` : value
  return isOther && violated(next, schema).length === 0
}
