import type { Equivalence } from './equivalent.ts'

type Place = Omit<Equivalence, 'file' | 'because'>

/** Places of a file of log push in which the same is left open. */
export const places = (
  name: string,
  because: string,
  all: readonly Place[]
): readonly Equivalence[] =>
  all.map((place) => ({ file: `src/platform/logpush/${name}.ts`, because, ...place }))

/** Operators of which there is most to say. */
export const [branch, guard, property] = [['drop-branch'], ['drop-guard'], ['drop-property']]
