import type { RequestPlan } from './request-plan.ts'
import type { FlatSchema } from './schema.ts'
import { matches } from './strings.ts'
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

const ofText = ['pattern', 'format', 'minLength', 'maxLength']
const ofNumber = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/**
 * Notes what a value that is made anew has to be at a place, as JSON Schema: nothing where any of
 * its kind will do, and where there are but those that are listed.
 */
export function noteTakes(
  { takes }: Pick<RequestPlan, 'takes'>,
  at: string,
  { keywords, types, choices }: FlatSchema
): void {
  const [type] = types
  const isListed = keywords.enum !== undefined || keywords.const !== undefined
  if (isListed || choices.length > 0 || types.length !== 1) return
  const names = type === 'string' ? ofText : type === 'integer' ? ofNumber : []
  const isRead = (name: string, value: unknown) =>
    name !== 'pattern' || (typeof value === 'string' && matches(value, 'x') !== undefined)
  const said = names.flatMap((name): [string, unknown][] => {
    const at = keywords[name]
    return at !== undefined && isRead(name, at.value) ? [[name, at.value]] : []
  })
  if (said.length > 0) takes[at] = { type, ...Object.fromEntries(said) }
}
