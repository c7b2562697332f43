import type { Address } from './address.ts'
import { narrowed } from './integer.ts'
import { type Interval, intervals } from './interval.ts'
import { needle } from './needle.ts'
import { regex } from './regex.ts'
import type { ValueOf } from './scheme.ts'
import type { Comparison, Literal, Member, Ordering } from './syntax.ts'
import { wildcard } from './wildcard.ts'

/** What a comparison asks of a value that is there and of the type it was read for. */
export type Predicate = (value: any) => boolean

/** Whether a value is in the list of a name; lists are kept by whoever runs expressions. */
export type Lists = (name: string, value: ValueOf<'Bytes' | 'Int' | 'Ip'>) => boolean

/** Prepares what a comparison asks. */
export function predicateOf(comparison: Comparison, lists: Lists): Predicate {
  switch (comparison.kind) {
    case 'truth':
      return (value: boolean) => value
    case 'ordering':
      return orderingOf(comparison.operator, comparison.right)
    case 'member':
      return membershipOf(comparison.members)
    case 'listed':
      return (value) => lists(comparison.list, value)
    case 'mask':
      return (value: number | bigint) => (BigInt(value) & comparison.mask) !== 0n
    case 'contains': {
      const find = needle(comparison.part)
      return (value: string) => find(value, 0) >= 0
    }
    case 'matches':
      return regex(comparison.pattern).matches
    case 'wildcard':
      return wildcard(comparison.pattern, comparison.strict ? 'strict' : 'ignored').matches
  }
}

function orderingOf(operator: Ordering, right: Literal): Predicate {
  if (right.type === 'Ip') return addressOrderingOf(operator, right.value)
  if (right.type === 'Int') return comparing(operator, narrowed(right.value))
  const { value: text } = right
  if (operator === 'eq') return (value: string) => value === text
  if (operator === 'ne') return (value: string) => value !== text
  return comparing(operator, text)
}

/** Byte strings by their bytes; numbers and bigints alike by what they are worth. */
function comparing<Compared extends string | number | bigint>(
  operator: Ordering,
  right: Compared
): (value: Compared) => boolean {
  switch (operator) {
    case 'eq':
      return (value) => value >= right && value <= right
    case 'ne':
      return (value) => value < right || value > right
    case 'ge':
      return (value) => value >= right
    case 'le':
      return (value) => value <= right
    case 'gt':
      return (value) => value > right
    case 'lt':
      return (value) => value < right
  }
}

/** Addresses of two families have no order: they are not equal, and nothing else. */
function addressOrderingOf(operator: Ordering, { family, bits }: Address): Predicate {
  const compare = comparing(operator, bits)
  return (value: Address) => (value.family === family ? compare(value.bits) : operator === 'ne')
}

function membershipOf(members: readonly Member[]): Predicate {
  const strings = new Set<string>()
  const numbers: Interval[] = []
  const networks: Record<4 | 6, Interval[]> = { 4: [], 6: [] }
  for (const member of members) {
    if (member.type === 'Bytes') strings.add(member.value)
    else if (member.type === 'Int') numbers.push(narrowedInterval(member))
    else networks[member.first.family].push({ first: member.first.bits, last: member.last.bits })
  }
  if (strings.size > 0) return (value: string) => strings.has(value)
  if (numbers.length > 0) return intervals(numbers)
  const within = { 4: intervals(networks[4]), 6: intervals(networks[6]) }
  return members.length > 0 ? ({ family, bits }: Address) => within[family](bits) : () => false
}

function narrowedInterval({ first, last }: { first: bigint; last: bigint }): Interval {
  return { first: narrowed(first), last: narrowed(last) }
}
