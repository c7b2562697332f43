import { isItem } from './_reply.ts'

/** A type of the document: its name in words, and what it is true of. */
export type Type = { name: string; is: (value: unknown) => boolean }

const isText = (value: unknown) => typeof value === 'string'
const matching = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value)

/** Whether text is an RFC 3339 timestamp in UTC that names a time there is. */
function isTimestamp(value: unknown): boolean {
  const parts = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/i)
  if (!parts(value)) return false
  const time = (value as string).slice(0, 19).toUpperCase()
  const ms = Date.parse(`${time}Z`)
  // A 30th of February parses, as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(time)
}

function isUrl(value: unknown): boolean {
  return matching(/^[a-z][a-z0-9+.-]*:\/\//i)(value) && URL.canParse(value as string)
}

export const boolean: Type = { name: 'a boolean', is: (value) => typeof value === 'boolean' }

/** A boolean or, as the document's example has it, the word for one. */
export const booleanValued: Type = {
  name: 'a boolean or its string form',
  is: (value) => typeof value === 'boolean' || value === 'true' || value === 'false'
}

export const integer: Type = { name: 'an integer', is: Number.isInteger }

export const integerOrNull: Type = {
  name: 'an integer or null',
  is: (value) => value === null || Number.isInteger(value)
}

export const text: Type = { name: 'a string', is: isText }

export const hex: Type = { name: 'a hexadecimal string', is: matching(/^[0-9a-f]+$/i) }

export const hash: Type = { name: '64 hexadecimal digits', is: matching(/^[0-9a-f]{64}$/i) }

export const url: Type = { name: 'a URL', is: isUrl }

export const hostname: Type = { name: 'a hostname', is: matching(/^[^\s/]+$/) }

export const timestamp: Type = { name: 'an RFC 3339 timestamp in UTC', is: isTimestamp }

/** One of the given words. */
export function oneOf(...words: string[]): Type {
  return { name: words.join(' or '), is: (value) => words.includes(value as string) }
}

/** An array whose items are all of one type. */
export function arrayOf(type: Type): Type {
  return {
    name: `an array, each item ${type.name}`,
    is: (value) => Array.isArray(value) && value.every(type.is)
  }
}

/** An object that has at least the given fields. */
export function objectOf(fields: { [field: string]: Type }): Type {
  const list = Object.entries(fields)
  return {
    name: `an object of ${list.map(([field, { name }]) => `${field} (${name})`).join(', ')}`,
    is: (value) => isItem(value) && list.every(([field, type]) => type.is(value[field]))
  }
}
