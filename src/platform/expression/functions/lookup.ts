import { bytes, text } from '../bytes.ts'
import { narrowed } from '../integer.ts'
import { type Parameter, plain, type RuleFunction, stringField } from './function.ts'

const key: Parameter = { types: ['Bytes', 'Int'] }

type Key = string | number | bigint

/** `lookup_json_string(source, key, …)`: the string at a place in a JSON document. */
export const lookupJsonString: RuleFunction = {
  parameters: [stringField, key],
  rest: key,
  returns: 'Bytes',
  prepare: plain((source: string, ...keys: Key[]) => {
    const found = lookUp(() => JSON.parse(text(source)), keys)
    return typeof found === 'string' ? bytes(found) : undefined
  })
}

/** `lookup_json_integer(source, key, …)`: the whole number, of 64 bits, at a place in JSON. */
export const lookupJsonInteger: RuleFunction = {
  parameters: [stringField, key],
  rest: key,
  returns: 'Int',
  prepare: plain((source: string, ...keys: Key[]) => {
    const found = lookUp(() => JSON.parse(text(source), withIntegers), keys)
    return typeof found === 'bigint' ? narrowed(found) : undefined
  })
}

/** What is at a place; undefined when there is no document, or nothing in it at that place. */
function lookUp(parse: () => unknown, keys: readonly Key[]): unknown {
  let found: unknown
  try {
    found = parse()
  } catch {
    return undefined
  }
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined
    // An array has places and an object has names; "length" and "0" are names.
    if (Array.isArray(found) === (typeof key === 'string')) return undefined
    const name = typeof key === 'string' ? text(key) : String(key)
    if (!Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** Reads whole numbers from their digits: `42.0` is none, and none of 64 bits are lost. */
function withIntegers(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || !/^-?\d{1,19}$/.test(source))
    return value
  const whole = BigInt(source)
  return whole === BigInt.asIntN(64, whole) ? whole : value
}
