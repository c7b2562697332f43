import type { Address } from './address.ts'

/** The type of a value in an expression, written as failures show it: `Map<Array<Int>>`. */
export type Type = 'Bool' | 'Bytes' | 'Int' | 'Ip' | `Array<${string}>` | `Map<${string}>`

/**
 * What a value of a type is while an expression runs. `Bytes`, and the keys of a map, are byte
 * strings (see `bytes.ts`); an `Int` has 64 bits: a number while that is exact, a bigint beyond.
 */
export type ValueOf<T extends string> = T extends 'Bool'
  ? boolean
  : T extends 'Bytes'
    ? string
    : T extends 'Int'
      ? number | bigint
      : T extends 'Ip'
        ? Address
        : T extends `Array<${infer Element}>`
          ? readonly ValueOf<Element>[]
          : T extends `Map<${infer Element}>`
            ? ReadonlyMap<string, ValueOf<Element>>
            : never

/** Any value an expression can meet. */
export type Value =
  | ValueOf<'Bool' | 'Bytes' | 'Int' | 'Ip'>
  | readonly Value[]
  | ReadonlyMap<string, Value>

/** The names an expression may use for facts, and the type of each. */
export type Scheme = Readonly<Record<string, Type>>

/**
 * What is known about one request, by field name. An absent fact makes every comparison with it
 * false. A getter is only called when an expression asks for its field.
 */
export type Facts = Readonly<Record<string, Value | undefined>>

/** The type of the elements of an array or of the values of a map; undefined for any other type. */
export function elementOf(type: Type): Type | undefined {
  return /^(?:Array|Map)<(.+)>$/.exec(type)?.[1] as Type | undefined
}

/** Whether a type is an array, whatever its elements are. */
export function isArray(type: Type): boolean {
  return type.startsWith('Array<')
}

/** Whether a type is a map, whatever its values are. */
export function isMap(type: Type): boolean {
  return type.startsWith('Map<')
}
