import { type Address, formatAddress } from '../address.ts'
import { lowerAscii, upperAscii } from '../bytes.ts'
import {
  integer,
  integerLiteral,
  plain,
  type RuleFunction,
  string,
  stringField
} from './function.ts'

/** `concat(value, …)`: strings, or arrays of one type, joined; missing ones are empty. */
export const concat: RuleFunction = {
  parameters: [{ types: ['Bytes', 'Array<_>'] }],
  rest: { types: ['Bytes', 'Array<_>'] },
  returns: (inputs) => inputs[0]!,
  fault: (inputs) =>
    inputs.every((type) => type === inputs[0]) ? undefined : 'must be of the type of the first',
  missing: 'accepted',
  prepare: plain((...values: (string | readonly never[] | undefined)[]) => {
    const present = values.filter((value) => value !== undefined)
    if (present.length === 0) return undefined
    return typeof present[0] === 'string' ? present.join('') : present.flat()
  })
}

/** `ends_with(source, part)`: whether a string ends with another. */
export const endsWith: RuleFunction = {
  parameters: [stringField, string],
  returns: 'Bool',
  prepare: plain((source: string, part: string) => source.endsWith(part))
}

/** `starts_with(source, part)`: whether a string begins with another. */
export const startsWith: RuleFunction = {
  parameters: [stringField, string],
  returns: 'Bool',
  prepare: plain((source: string, part: string) => source.startsWith(part))
}

/** `join(items, separator)`: the strings of an array with a separator between them. */
export const join: RuleFunction = {
  parameters: [{ types: ['Array<Bytes>'] }, string],
  returns: 'Bytes',
  prepare: plain((items: readonly string[], separator: string) => items.join(separator))
}

/** `split(source, separator, limit)`: the parts of a string, the last of `limit` with the rest. */
export const split: RuleFunction = {
  parameters: [
    string,
    {
      types: ['Bytes'],
      written: 'always',
      fault: ({ value }) => (value === '' ? 'must not be empty' : undefined)
    },
    integerLiteral(1, 128)
  ],
  returns: 'Array<Bytes>',
  prepare: plain((source: string, separator: string, limit: number) => {
    const parts = source.split(separator, limit)
    const used = parts.slice(0, limit - 1)
    const rest = source.slice(used.reduce((sum, part) => sum + part.length + separator.length, 0))
    return parts.length < limit ? parts : [...used, rest]
  })
}

/** `len(value)`: the bytes of a string or the elements of an array. */
export const len: RuleFunction = {
  parameters: [{ types: ['Bytes', 'Array<_>'] }],
  returns: 'Int',
  prepare: plain((value: string | readonly unknown[]) => value.length)
}

/** `lower(source)`: a string with its ASCII capitals made small. */
export const lower: RuleFunction = {
  parameters: [string],
  returns: 'Bytes',
  prepare: plain(lowerAscii)
}

/** `upper(source)`: a string with its small ASCII letters made capitals. */
export const upper: RuleFunction = {
  parameters: [string],
  returns: 'Bytes',
  prepare: plain(upperAscii)
}

/** `remove_bytes(source, bytes)`: a string without any of the given bytes. */
export const removeBytes: RuleFunction = {
  parameters: [string, string],
  returns: 'Bytes',
  prepare: plain((source: string, removed: string) => {
    const unwanted = new Set(removed)
    return [...source].filter((byte) => !unwanted.has(byte)).join('')
  })
}

/** `substring(source, start, end?)`: some bytes of a string; negative places count from its end. */
export const substring: RuleFunction = {
  parameters: [stringField, integer, integer],
  optional: 1,
  returns: 'Bytes',
  prepare: plain((source: string, start: number | bigint, end?: number | bigint) =>
    source.slice(Number(start), end === undefined ? undefined : Number(end))
  )
}

/** `to_string(value)`: a number, boolean or address as it is written. */
export const toText: RuleFunction = {
  parameters: [{ types: ['Int', 'Bool', 'Ip'] }],
  returns: 'Bytes',
  prepare: plain((value: number | bigint | boolean | Address) =>
    typeof value === 'object' ? formatAddress(value) : String(value)
  )
}
