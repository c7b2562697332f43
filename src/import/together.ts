import { patternOfBoth } from './patterns.ts'
import type { Located } from './source.ts'

/** By what a value says of which schema it is, for a discriminator: a keyword of ours. */
export const ownName = 'x-plimsoll-name'

const larger = ['minLength', 'minimum', 'minItems', 'minProperties', 'exclusiveMinimum']

/** The keywords of which both statements hold, as one. */
const together: Record<string, (one: any, other: any) => unknown> = {
  pattern: patternOfBoth,
  uniqueItems: (one, other) => one === true || other === true,
  readOnly: (one, other) => one === true || other === true,
  multipleOf: (one, other) => (Number.isInteger(one) ? multiple(one, other) : one),
  // The schema that is made of others is named last.
  [ownName]: (_, other) => other
}

/** The smallest number that is a multiple of both. */
function multiple(one: number, other: number): number {
  if (!(one > 0 && Number.isInteger(other) && other > 0)) return one
  let [large, small] = [one, other]
  while (small > 0) [large, small] = [small, large % small]
  return (one / large) * other
}

/** The tighter of two statements of one keyword. */
export function tighter(name: string, one: Located | undefined, other: Located): Located {
  if (one === undefined) return other
  if (Object.hasOwn(together, name)) {
    return { ...one, value: together[name]!(one.value, other.value) }
  }
  if (name === 'enum' && [one, other].every(({ value }) => Array.isArray(value))) {
    const listed = new Set(other.value.map((value: unknown) => JSON.stringify(value)))
    const both = one.value.filter((value: unknown) => listed.has(JSON.stringify(value)))
    return { ...one, value: both }
  }
  const isTighter = larger.includes(name) ? other.value > one.value : other.value < one.value
  return typeof other.value === 'number' && isTighter ? other : one
}

/** What is said of one thing in two places. */
export function both(one: Located | undefined, other: Located): Located {
  const said = one === undefined ? [] : [one, ...(one.also ?? [])]
  if (said.some(({ pointer }) => pointer === other.pointer)) return one!
  return one === undefined ? other : { ...one, also: [...(one.also ?? []), other] }
}

/** The types that are among both; those of the first where none is, and nothing can be right. */
export function commonTypes(one: string[], other: string[]): string[] {
  if (one.length === 0 || other.length === 0) return [...one, ...other]
  const isAmong = (name: string, list: string[]) =>
    list.includes(name) || (name === 'integer' && list.includes('number'))
  const common = [
    ...one.filter((name) => isAmong(name, other)),
    ...other.filter((name) => !one.includes(name) && isAmong(name, one))
  ]
  return common.length > 0 ? common : one
}
