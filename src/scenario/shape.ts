import { createContext, Script } from 'node:vm'
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { formatTitle, mapped, type ShapeSchema, withFormats } from './formats.ts'

/** What holding a value against a schema came to. */
export type ShapeFinding = { holds: boolean; saw: string }

/**
 * What counts of formats: nothing, what is beyond doubt none of its format, or what is none of it
 * by the letter.
 */
export type FormatsHeld = 'none' | 'surely' | 'exactly'

/** Longest time in milliseconds that it may take: some patterns never end over some texts. */
const patienceMs = 2_000

/** A place from which a validator can be called back. */
const asked = createContext({ validate: undefined })
const question = new Script('validate()')

const validators: Record<FormatsHeld, WeakMap<object, Validator>> = {
  ...{ none: new WeakMap(), surely: new WeakMap(), exactly: new WeakMap() }
}

function validatorOf(
  schema: Record<string, unknown>,
  defs: Record<string, unknown>,
  formats: FormatsHeld
): Validator {
  const known = validators[formats]
  const of = (one: unknown) =>
    formats === 'exactly' ? one : withFormats(one as ShapeSchema, formats === 'surely')
  const whole = () => ({ ...Object(of(schema)), $defs: mapped(defs, of) }) as Schema
  const validator = known.get(schema) ?? new Validator(whole(), '2020-12', true)
  known.set(schema, validator)
  return validator
}

/**
 * Whether a value is as a schema says, and where and how it is not. References of the schema are
 * looked up in `defs`. Undefined where it cannot be told: a pattern does not end or is none, or
 * schemas are in themselves.
 */
export function shapeFinding(
  value: unknown,
  schema: ShapeSchema,
  defs: Record<string, unknown> = {},
  formats: FormatsHeld = 'none'
): ShapeFinding | undefined {
  if (schema === true) return { holds: true, saw: 'as documented' }
  if (schema === false) return { holds: false, saw: 'nothing may be there' }
  const validator = validatorOf(schema, defs, formats)
  try {
    Object.assign(asked, { validate: () => validator.validate(value) })
    const { valid, errors } = question.runInContext(asked, { timeout: patienceMs })
    if (valid) return { holds: true, saw: 'as documented' }
    // The innermost is told last, and says what the others only follow from.
    const last = errors.at(-1)!
    const told = formats === 'surely' ? formatFault(validator, errors, value) : undefined
    return { holds: false, saw: told ?? `${last.instanceLocation}: ${last.error}` }
  } catch (cause) {
    if (isUntold(cause)) return undefined
    throw cause
  }
}

const keysIn = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))

/** The format that a keyword is there for, by the way that a validator went to it. */
function formatAt(validator: Validator, location: string): string | undefined {
  const { schema } = validator as unknown as { schema: any }
  let at = schema
  for (const key of keysIn(location).slice(0, -1)) {
    const { $ref } = Object(at)
    at = key === '$ref' ? schema.$defs[$ref.replace('#/$defs/', '')] : Object(at)[key]
    const title: unknown = Object(at).title
    // A field may be called so, too.
    if (typeof title === 'string' && title.startsWith(formatTitle)) {
      return title.slice(formatTitle.length)
    }
  }
  return undefined
}

/** What is wrong with a value of a format, where that is what does not hold. */
function formatFault(
  validator: Validator,
  errors: readonly OutputUnit[],
  value: unknown
): string | undefined {
  for (const { instanceLocation, keywordLocation } of errors.toReversed()) {
    const format = formatAt(validator, keywordLocation)
    if (format === undefined) continue
    return `${instanceLocation}: ${shown(value, instanceLocation)} is no ${format}`
  }
  return undefined
}

/** The value at a place, for people. */
function shown(value: unknown, location: string): string {
  let at: any = value
  for (const key of keysIn(location)) at = Object(at)[key]
  const text = JSON.stringify(at) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Whether it is the schema's fault: it takes too long or goes too deep, or a pattern is none. */
function isUntold(cause: unknown): boolean {
  const isLate = (cause as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  return isLate || cause instanceof RangeError || cause instanceof SyntaxError
}
