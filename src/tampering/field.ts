/** The way to a field of JSON; `*` is every item of an array. */
export type FieldPath = readonly string[]

/** What becomes of a value; `gone` says that nothing is left of it. */
export type ValueChange = (value: unknown) => unknown

/** Stands for a value that is left out. */
export const gone = Symbol('gone')

/** Values that are lists of so many kinds of fields, or deeper, are not gone into further. */
const deepest = 8

/** The ways to all fields of a value, outer ones first, each once. */
export function fieldsOf(value: unknown, path: FieldPath = []): FieldPath[] {
  if (typeof value !== 'object' || value === null || path.length > deepest) return []
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.slice(0, 20).map((item) => ['*', item])
    : Object.entries(value)
  const found = parts.flatMap(([name, part]) => {
    const own = [...path, name]
    return [...(name === '*' && Array.isArray(value) ? [] : [own]), ...fieldsOf(part, own)]
  })
  return [...new Map(found.map((one) => [one.join('\n'), one])).values()]
}

/** The values that stand at a path. */
export function valuesAt(value: unknown, [name, ...rest]: FieldPath): unknown[] {
  if (name === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (name === '*' && Array.isArray(value)) return value.flatMap((item) => valuesAt(item, rest))
  return Object.hasOwn(value, name) ? valuesAt((value as Record<string, unknown>)[name], rest) : []
}

/** The same value, with what stands at a path changed; the value itself where nothing does. */
export function changedAt(value: unknown, path: FieldPath, change: ValueChange): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (name === '*' && Array.isArray(value))
    return value.map((item) => changedAt(item, rest, change)).filter((item) => item !== gone)
  if (!Object.hasOwn(value, name)) return value
  const changed = changedAt((value as Record<string, unknown>)[name], rest, change)
  const { [name]: _, ...others } = value as Record<string, unknown>
  if (changed === gone) return others
  return { ...value, [name]: changed }
}

/** The value as one of another type. */
export function retyped(value: unknown): unknown {
  if (typeof value === 'string')
    return value === '' || Number.isNaN(Number(value)) ? 7 : Number(value)
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return Object.fromEntries(value.entries())
  return value === null ? 'null' : [value]
}

/** Another value of the same type. */
export function altered(value: unknown): unknown {
  if (typeof value === 'string')
    return otherMoment(value) ?? (/\d$/.test(value) ? laterDigit(value) : `${value}x`)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : [null]
  return value === null ? 1 : {}
}

const yearSeconds = 365 * 24 * 60 * 60

/**
 * A moment a year earlier, in the form it has: an RFC 3339 time, an HTTP date, or seconds as in a
 * Deprecation header (RFC 9745). Undefined of what is none.
 */
function otherMoment(text: string): string | undefined {
  const seconds = /^@(\d{9,})$/.exec(text)?.[1]
  if (seconds !== undefined) return `@${Number(seconds) - yearSeconds}`
  const year = /^\d{4}(?=-\d\d-\d\d(?:T|$))|\d{4}(?= \d\d:\d\d:\d\d GMT$)/
  return year.test(text) ? text.replace(year, (own) => `${Number(own) - 1}`) : undefined
}

/** A text that ends in a digit, with the next one: a date stays one, and an id. */
function laterDigit(text: string): string {
  return text.slice(0, -1) + ((Number(text.at(-1)) + 1) % 10)
}
