/** A JSON Schema (2020-12), whose references lead to `#/$defs/…`. */
export type ShapeSchema = Record<string, unknown> | boolean

const month = '(?:0[1-9]|1[0-2])'
const thirty = '(?:0[469]|11)-31'
const day = `\\d{4}-(?!02-3|${thirty})${month}-(?:0[1-9]|[12]\\d|3[01])`
const hour = '(?:[01]\\d|2[0-4]):[0-5]\\d'
const offset = `(?:[Zz]|[+-]${hour})`
/** What a URI has nowhere, whatever its letters: ASCII that RFC 3986 has to be written as %20. */
const noBlank = '[^\\s<>"{}|\\\\^`]*'
/** A label of a name; underlines are there in names of services. */
const label = '[\\w](?:[\\w-]{0,61}[\\w])?'
const byte = '0*(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const address = '[^@\\s]+'
/** Of an address of IPv6, the last of which may be one of IPv4. */
const group = '[\\da-fA-F]{0,4}'
const old = '(?:\\d{1,3}\\.){3}\\d{1,3}'

/**
 * By format a pattern that every text of it matches: what does not is none of it beyond doubt, by
 * the RFC that JSON Schema names for it. What such a text may be and is not matches many of them.
 */
const mayBe: Record<string, string> = {
  // A space between day and time is what RFC 3339 leaves to who likes to read it.
  'date-time': `^${day}[Tt ]${hour}:(?:[0-5]\\d|60)(?:\\.\\d+)?${offset}$`,
  date: `^${day}$`,
  // Many leave out the offset of a time of the day, and some the seconds.
  time: `^${hour}(?::(?:[0-5]\\d|60)(?:\\.\\d+)?)?(?:${offset})?$`,
  duration: '^[+-]?P(?=.)[\\dYMWDTHS.,]+$',
  uuid: '^[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$',
  email: `^(?:"[^]*"|${address})@${address}$`,
  'idn-email': `^(?:"[^]*"|${address})@${address}$`,
  uri: `^[A-Za-z][A-Za-z\\d+.-]*:${noBlank}$`,
  iri: `^[A-Za-z][A-Za-z\\d+.-]*:${noBlank}$`,
  'uri-reference': `^${noBlank}$`,
  hostname: `^(?=.{1,254}$)${label}(?:\\.${label})*\\.?$`,
  ipv4: `^${byte}(?:\\.${byte}){3}$`,
  // Groups of four digits at most, and a scope behind them.
  ipv6: `^(?=.*:.*:)(?!.*:::)(?!.*::.*::)${group}(?::${group}){1,7}(?:${old})?(?:%.+)?$`,
  'json-pointer': '^(?:/(?:[^~]|~[01])*)?$',
  // Both alphabets, with lines that are broken somewhere.
  byte: '^[A-Za-z\\d+/_=\\s-]*$'
}

/** Formats of numbers, with the ends of what they can hold. */
const numbers: Record<string, ShapeSchema> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { minimum: 0, maximum: 2 ** 32 - 1 }
}

/** By format a text that is none of it, which is sent to see whether it is refused. */
export const strangers = {
  ...{ 'date-time': '2026-13-45', date: '2026-13-45', time: '25:99', email: 'no address' },
  ...{ uuid: 'no-uuid', uri: 'no address at all', url: 'no address at all' },
  ...{ ipv4: '999.0.2.1', ipv6: '2001:::1', hostname: 'no host' }
} as const

/** Whether something can be told of a format by a value. */
export const isTold = (format: unknown): format is string =>
  [mayBe, numbers].some((some) => Object.hasOwn(some, String(format)))

/** By what a schema that stands for a format begins its title. */
export const formatTitle = 'format '

/** What a value of a format surely is; what was sent to be refused, and is kept, is no fault. */
function surely(format: string): Record<string, unknown> {
  const title = `${formatTitle}${format}`
  if (Object.hasOwn(numbers, format)) return { title, ...Object(numbers[format]) }
  const own = { enum: Object.values(strangers) }
  return { title, anyOf: [{ pattern: mayBe[format] }, own, { not: { type: 'string' } }] }
}

const named = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
const nested = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'propertyNames']
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * A shape without the formats in it, or with what a value of them surely is instead. Those that
 * nothing is known of are left out.
 */
export function withFormats(schema: ShapeSchema, isHeld: boolean): ShapeSchema {
  if (!isObject(schema)) return schema
  const inner = (one: unknown) => withFormats(one as ShapeSchema, isHeld)
  const { format, ...rest } = schema
  const own: Record<string, unknown> = { ...rest }
  for (const name of named.filter((one) => isObject(own[one]))) {
    own[name] = mapped(own[name] as Record<string, unknown>, inner)
  }
  for (const name of nested.filter((one) => own[one] !== undefined)) own[name] = inner(own[name])
  for (const name of listed) if (Array.isArray(own[name])) own[name] = own[name].map(inner)
  if (!isHeld || !isTold(format)) return own
  return { ...own, allOf: [...((own.allOf as unknown[]) ?? []), surely(format)] }
}

/** The same of each of some definitions. */
export const mapped = (
  values: Record<string, unknown>,
  of: (value: unknown) => unknown
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]))

/** Whether a shape, or what it refers to, says a format of which something can be told. */
export function hasFormat(
  schema: unknown,
  defs: Record<string, unknown>,
  seen = new Set<string>()
): boolean {
  if (!isObject(schema)) return false
  const within = (one: unknown) => hasFormat(one, defs, seen)
  const { $ref, format } = schema
  if (isTold(format)) return true
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined
  if (name !== undefined && !seen.has(name)) {
    seen.add(name)
    if (within(defs[name])) return true
  }
  return (
    named.some((one) => Object.values(Object(schema[one])).some(within)) ||
    nested.some((one) => within(schema[one])) ||
    listed.some((one) => Array.isArray(schema[one]) && schema[one].some(within))
  )
}
