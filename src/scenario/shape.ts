import { type Schema, Validator } from '@cfworker/json-schema'

/** A JSON Schema (2020-12), whose references lead to `#/$defs/…`. */
export type ShapeSchema = Record<string, unknown> | boolean

const validators = new WeakMap<object, Validator>()

/**
 * Where and how a value is not as a schema says, in words; undefined where it is. References of the
 * schema are looked up in `defs`.
 */
export function shapeFault(
  value: unknown,
  schema: ShapeSchema,
  defs: Record<string, unknown> = {}
): string | undefined {
  if (schema === true) return undefined
  if (schema === false) return 'nothing may be there'
  const validator =
    validators.get(schema) ?? new Validator({ ...schema, $defs: defs } as Schema, '2020-12', true)
  validators.set(schema, validator)
  const { valid, errors } = validator.validate(value)
  if (valid) return undefined
  // The innermost is told last, and says what the others only follow from.
  const { instanceLocation, error } = errors.at(-1)!
  return `${instanceLocation}: ${error}`
}
