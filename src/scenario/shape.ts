import { createContext, Script } from 'node:vm'
import { type Schema, Validator } from '@cfworker/json-schema'

/** A JSON Schema (2020-12), whose references lead to `#/$defs/…`. */
export type ShapeSchema = Record<string, unknown> | boolean

/** What holding a value against a schema came to. */
export type ShapeFinding = { holds: boolean; saw: string }

/** Longest time in milliseconds that it may take: some patterns never end over some texts. */
const patienceMs = 2_000

/** A place from which a validator can be called back. */
const asked = createContext({ validate: undefined })
const question = new Script('validate()')

const validators = new WeakMap<object, Validator>()

/**
 * Whether a value is as a schema says, and where and how it is not. References of the schema are
 * looked up in `defs`. Undefined where it cannot be told: a pattern does not end or is none, or
 * schemas are in themselves.
 */
export function shapeFinding(
  value: unknown,
  schema: ShapeSchema,
  defs: Record<string, unknown> = {}
): ShapeFinding | undefined {
  if (schema === true) return { holds: true, saw: 'as documented' }
  if (schema === false) return { holds: false, saw: 'nothing may be there' }
  const validator =
    validators.get(schema) ?? new Validator({ ...schema, $defs: defs } as Schema, '2020-12', true)
  validators.set(schema, validator)
  try {
    Object.assign(asked, { validate: () => validator.validate(value) })
    const { valid, errors } = question.runInContext(asked, { timeout: patienceMs })
    if (valid) return { holds: true, saw: 'as documented' }
    // The innermost is told last, and says what the others only follow from.
    const { instanceLocation, error } = errors.at(-1)!
    return { holds: false, saw: `${instanceLocation}: ${error}` }
  } catch (cause) {
    if (isUntold(cause)) return undefined
    throw cause
  }
}

/** Whether it is the schema's fault: it takes too long or goes too deep, or a pattern is none. */
function isUntold(cause: unknown): boolean {
  const isLate = (cause as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  return isLate || cause instanceof RangeError || cause instanceof SyntaxError
}
