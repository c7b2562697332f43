import { type Rules, rules } from '../../rules.ts'
import type { Override } from '../override.ts'
import type { Payload } from './envelope.ts'
import { unknownRoute } from './failure.ts'
import type { Call } from './operation.ts'

type Names = readonly string[]
type Run = (call: Call) => Payload

/** The operations whose clause begins so. */
export function operationsOf(prefix: string): string[] {
  return Object.keys(rules.operations).filter((name) => name.startsWith(prefix))
}

/** What an operation does when nothing is wrong with it. */
function honest(name: string): Run {
  return rules.operations[name]!.run
}

/** Operations that do something else; `otherwise` is given what they should do. */
export function instead(
  names: Names,
  otherwise: (call: Call, run: Run) => Payload
): Override<Rules> {
  const changed = names.map((name) => [
    name,
    { run: (call: Call) => otherwise(call, honest(name)) }
  ])
  return { operations: Object.fromEntries(changed) }
}

/** Operations that answer as if they did not exist. */
export function unavailable(...names: Names): Override<Rules> {
  return instead(names, ({ path }) => {
    throw unknownRoute(path)
  })
}

/** Operations that answer the right question wrongly: every object they show is altered. */
export function misreported(
  names: Names,
  alter: (record: Record<string, unknown>) => object
): Override<Rules> {
  return instead(names, (call, run) => {
    const { result, ...rest } = run(call)
    const altered = Array.isArray(result)
      ? result.map(alter)
      : alter(result as Record<string, unknown>)
    return { ...rest, result: altered }
  })
}

/** Operations that get the query wrong. */
export function misread(names: Names, alter: (query: Call['query']) => object): Override<Rules> {
  return instead(names, (call, run) => {
    const query = Object.entries(alter(call.query)).filter(([, value]) => value !== undefined)
    return run({ ...call, query: Object.fromEntries(query) })
  })
}

/** One field of every object is altered, where it is there. */
export function spoiled(
  names: Names,
  field: string,
  spoil: (value: unknown) => unknown
): Override<Rules> {
  return misreported(names, (record) =>
    field in record ? { ...record, [field]: spoil(record[field]) } : record
  )
}

/** One field of every object is left out. */
export function missing(names: Names, field: string): Override<Rules> {
  return misreported(names, ({ [field]: _, ...rest }) => rest)
}

/** The same value as another type: a number for a string, and a string for everything else. */
export function mistyped(value: unknown): unknown {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A field as clauses and mutants spell it. */
export function dashed(field: string): string {
  return field.replaceAll('_', '-')
}
