import type { Configuration } from './_stage.ts'

/** The same rules without the fields that the document lets a client leave out. */
export function stripped({ name, rules }: Configuration): Configuration {
  return { name, rules: rules.map(({ id, version, ref, ...rule }) => rule) }
}
