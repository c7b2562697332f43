import type { Override } from '../override.ts'
import type { Payload } from './envelope.ts'
import { defect, unknownRoute } from './failure.ts'
import type { Call, Operation } from './operation.ts'

type Names = readonly string[]
type Run<Own> = (call: Call<Own>) => Payload
type Wrong = { operations: Record<string, Override<Operation>> }

/**
 * Ways to get the operations of a part wrong, each an override of that part's rules; made from the
 * operations as they should be.
 */
export function wrongOperations<Own>(operations: Readonly<Record<string, Operation<Own>>>) {
  /** Operations that do something else; `otherwise` is given what they should do. */
  function instead(names: Names, otherwise: (call: Call<Own>, run: Run<Own>) => Payload): Wrong {
    const changed = names.map((name) => {
      const honest = operations[name]!.run
      return [name, { run: (call: Call<Own>) => otherwise(call, honest) }]
    })
    return { operations: Object.fromEntries(changed) }
  }

  /** Operations that answer the right question wrongly: every object they show is altered. */
  function misreported(names: Names, alter: (record: Record<string, unknown>) => object): Wrong {
    return instead(names, (call, run) => {
      const { result, ...rest } = run(call)
      const altered = Array.isArray(result)
        ? result.map(alter)
        : alter(result as Record<string, unknown>)
      return { ...rest, result: altered }
    })
  }

  return {
    instead,
    misreported,
    /** The operations whose clause begins so. */
    operationsOf: (prefix: string) =>
      Object.keys(operations).filter((name) => name.startsWith(prefix)),
    /** Operations that answer as if they did not exist. */
    unavailable: (...names: Names): Wrong =>
      instead(names, ({ path }) => {
        throw unknownRoute(path)
      }),
    /** Operations that are answered with 500, whatever is asked of them. */
    defective: (...names: Names): Wrong =>
      instead(names, () => {
        throw defect()
      }),
    /** Operations that get the query wrong. */
    misread: (names: Names, alter: (query: Call['query']) => object): Wrong =>
      instead(names, (call, run) => {
        const query = Object.entries(alter(call.query)).filter(([, value]) => value !== undefined)
        return run({ ...call, query: Object.fromEntries(query) })
      }),
    /** One field of every object is altered, where it is there. */
    spoiled: (names: Names, field: string, spoil: (value: unknown) => unknown): Wrong =>
      misreported(names, (record) =>
        field in record ? { ...record, [field]: spoil(record[field]) } : record
      ),
    /** One field of every object is left out. */
    missing: (names: Names, field: string): Wrong =>
      misreported(names, ({ [field]: _, ...rest }) => rest)
  }
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
