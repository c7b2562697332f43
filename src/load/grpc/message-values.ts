import type { Field, Type } from './protobuf.ts'

/** What a value is to be, and what is made of one; undefined of one that is none. */
type Kind = { takes: string; read: (value: unknown) => unknown }

/** A number as JSON writes it, which ProtoJSON lets stand in quotes. */
const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** A whole number, also as text, `1e3` or `1.0`; undefined of what is none. */
function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  const number = typeof value === 'string' && digits.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? BigInt(number as number) : undefined
}

/** A whole number of so many bits, as a number or as text. */
function wholeNumber(bits: 32 | 64, isSigned: boolean): Kind {
  const most = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n
  const least = isSigned ? -most - 1n : 0n
  return {
    takes: `a whole number from ${least} to ${most}${bits === 64 ? ', as text beyond 2^53' : ''}`,
    read(value) {
      const whole = wholeOf(value)
      if (whole === undefined || whole < least || whole > most) return undefined
      return bits === 64 ? `${whole}` : Number(whole)
    }
  }
}

const named: Record<string, number> = { NaN, Infinity, '-Infinity': -Infinity }

/** A number with a point; `single` is one of 32 bits, which the largest doubles are beyond. */
function fraction(single: boolean): Kind {
  return {
    takes: 'a number, "NaN", "Infinity" or "-Infinity"',
    read(value) {
      if (typeof value === 'string' && Object.hasOwn(named, value)) return named[value]
      const number = typeof value === 'string' && digits.test(value) ? Number(value) : value
      if (typeof number !== 'number') return undefined
      // What is written with digits is a number that there is.
      const isEndless = typeof value === 'string' && !Number.isFinite(number)
      const isTooLarge = single && Number.isFinite(number) && !Number.isFinite(Math.fround(number))
      return isEndless || isTooLarge ? undefined : number
    }
  }
}

const base64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/

const bytes: Kind = {
  takes: 'base64, or bytes',
  read(value) {
    if (value instanceof Uint8Array) return value
    const isText = typeof value === 'string' && base64.test(value)
    return isText ? Buffer.from(value, 'base64') : undefined
  }
}

const ofType = (name: 'boolean' | 'string', takes: string): Kind => ({
  takes,
  read: (value) => (typeof value === name ? value : undefined)
})

const kinds: Record<string, Kind> = {
  ...{ int32: wholeNumber(32, true), sint32: wholeNumber(32, true) },
  ...{ sfixed32: wholeNumber(32, true), uint32: wholeNumber(32, false) },
  ...{ fixed32: wholeNumber(32, false), int64: wholeNumber(64, true) },
  ...{ sint64: wholeNumber(64, true), sfixed64: wholeNumber(64, true) },
  ...{ uint64: wholeNumber(64, false), fixed64: wholeNumber(64, false) },
  ...{ float: fraction(true), double: fraction(false), bytes },
  ...{ bool: ofType('boolean', 'true or false'), string: ofType('string', 'a text') }
}

/** An enum: one of its names, or any number of 32 bits. */
function oneOf(values: Record<string, number>): Kind {
  const number = wholeNumber(32, true)
  return {
    takes: `one of ${Object.keys(values).join(', ')}, or a number`,
    read(value) {
      if (typeof value !== 'string') return number.read(value)
      return Object.hasOwn(values, value) ? values[value] : undefined
    }
  }
}

/** Messages that JSON writes as text (ProtoJSON), by their full names. */
const asText: Record<string, Kind> = {
  '.google.protobuf.Timestamp': {
    takes: 'a moment as "2026-01-31T12:00:00Z", or its fields',
    read(value) {
      const told = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/
      const [, second, part = '', offset] = told.exec(`${value}`) ?? []
      const ms = Date.parse(`${second}${offset}`)
      if (Number.isNaN(ms)) return undefined
      return { seconds: `${ms / 1_000}`, nanos: Number(part.padEnd(9, '0')) }
    }
  },
  '.google.protobuf.Duration': {
    takes: 'a time as "1.5s", or its fields',
    read(value) {
      const [, sign, seconds, part = ''] =
        /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(`${value}`) ?? []
      if (seconds === undefined) return undefined
      const nanos = Number(part.padEnd(9, '0'))
      return { seconds: `${sign}${seconds}`, nanos: sign === '' ? nanos : 0 - nanos }
    }
  }
}

/** The scalars of google/protobuf/wrappers.proto, which JSON writes as the scalar itself. */
const wrapped = {
  ...{ DoubleValue: 'double', FloatValue: 'float', Int64Value: 'int64', UInt64Value: 'uint64' },
  ...{ Int32Value: 'int32', UInt32Value: 'uint32', BoolValue: 'bool', StringValue: 'string' },
  BytesValue: 'bytes'
}
for (const [name, scalar] of Object.entries(wrapped)) {
  const { takes, read } = kinds[scalar]!
  asText[`.google.protobuf.${name}`] = {
    takes: `${takes}, or its field`,
    read(given) {
      const value = read(given)
      return value === undefined ? undefined : { value }
    }
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)

function refused(where: string, takes: string, value: unknown): TypeError {
  const given = typeof value === 'bigint' ? `${value}` : JSON.stringify(value)
  return new TypeError(`${where} is ${takes}, and not ${given?.slice(0, 100)}`)
}

/** One value of a field, of a list's or a map's. */
function readValue({ type, resolvedType }: Field, value: unknown, where: string): unknown {
  const kind =
    resolvedType === null
      ? kinds[type]
      : 'values' in resolvedType
        ? oneOf(resolvedType.values)
        : isObject(value)
          ? undefined
          : asText[resolvedType.fullName]
  if (kind !== undefined) {
    const read = kind.read(value)
    if (read === undefined) throw refused(where, kind.takes, value)
    return read
  }
  if (resolvedType === null || !('fields' in resolvedType)) return value
  const { fullName } = resolvedType
  if (!isObject(value)) {
    throw refused(where, `a message ${fullName.slice(1)}, given by its fields`, value)
  }
  return valuesOf(resolvedType, value, where)
}

/** A key of a map, which JSON writes as text whatever it is. */
function readKey({ keyType = 'string' }: Field, key: string, where: string): string {
  if (keyType === 'string') return key
  if (keyType !== 'bool') {
    const { takes, read } = kinds[keyType]!
    const whole = /^-?\d+$/.test(key) ? read(key) : undefined
    if (whole === undefined) throw refused(`a key of ${where}`, takes, key)
    return `${whole}`
  }
  if (key !== 'true' && key !== 'false') throw refused(`a key of ${where}`, 'true or false', key)
  // The library writes any text as true that is not empty.
  return key === 'true' ? key : ''
}

function fieldOf(field: Field, value: unknown, where: string): unknown {
  if (field.map) {
    if (!isObject(value)) throw refused(where, 'an object of keys and values', value)
    const entries = Object.entries(value).map(([key, one]) => {
      return [readKey(field, key, where), readValue(field, one, `${where}.${key}`)]
    })
    return Object.fromEntries(entries)
  }
  if (field.repeated !== true) return readValue(field, value, where)
  if (!Array.isArray(value)) throw refused(where, 'a list', value)
  return value.map((one, nth) => readValue(field, one, `${where}.${nth}`))
}

/**
 * A message with values that are written as they are given, which the library would leave out, cut
 * off or make a 0 of; throws a TypeError that names the field and what it takes. `null` is unset.
 */
export function valuesOf({ fields }: Type, message: object, place: string): object {
  const given = Object.entries(message).filter(([, value]) => value !== null && value !== undefined)
  const chosen = new Map<object, string>()
  const pairs = given.map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const where = `${place}.${name}`
    if (field === undefined) {
      const known = Object.keys(fields).join(', ') || 'none'
      throw new TypeError(`${where} is no field: there is ${known}`)
    }
    const choice = field.partOf ?? undefined
    const other = choice && chosen.get(choice)
    if (other !== undefined) throw new TypeError(`${where} and ${other} cannot both be: give one`)
    if (choice) chosen.set(choice, name)
    return [name, fieldOf(field, value, where)]
  })
  return Object.fromEntries(pairs)
}
