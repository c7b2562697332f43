import { violated } from './sample.ts'
import type { FlatSchema } from './schema.ts'

/** Texts that hardly any pattern matches: one of them is asked about that does not match. */
export const misfits = ['§ §', '!', 'x', '0', ' ', '§'.repeat(12), 'x'.repeat(40), '-'.repeat(8)]

/** Values of the same type that a list does not have. */
export function strangers(values: readonly unknown[], schema: FlatSchema): unknown[] {
  const kind = typeof values[0]
  const numbers = values.filter((one) => typeof one === 'number')
  const all: unknown[] =
    kind === 'number'
      ? [Math.max(...numbers) + 1, Math.min(...numbers) - 1]
      : kind === 'boolean'
        ? [values[0] !== true]
        : ['none-of-these', 'none', 'zz', 'q', `${values[0]}x`.slice(0, 100)]
  const isStrange = (value: unknown) =>
    violated(value, schema).every((name) => name === 'enum' || name === 'const')
  return all.filter((value) => !values.includes(value) && isStrange(value)).slice(0, 1)
}

/** Values that no service takes for one of a type, however it makes one of others. */
export const untyped: Record<string, unknown[]> = {
  string: [{}],
  integer: [1.5, 'x'],
  number: ['x'],
  boolean: ['x'],
  object: ['x']
}
