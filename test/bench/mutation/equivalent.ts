import type { Mutation } from './sites.ts'

/** Faults that change nothing a document speaks of, and why. */
type Equivalence = {
  /** A file of the platform, or a folder of it with a slash at its end. */
  file: string
  /** Names of operators; all of them where there are none. */
  operators?: readonly string[]
  /** What stands in the place, as it begins; anything where there is nothing. */
  before?: string
  because: string
}

/** What is declared to be equivalent; nothing is unless somebody looked at it. */
export const equivalences: readonly Equivalence[] = []

/** Why a fault is equivalent; undefined where it is not declared to be. */
export function reasonFor(
  { file, operator, before }: Mutation,
  declared: readonly Equivalence[] = equivalences
): string | undefined {
  return declared.find(
    (one) =>
      (one.file.endsWith('/') ? file.startsWith(one.file) : file === one.file) &&
      (one.operators?.includes(operator) ?? true) &&
      before.startsWith(one.before ?? '')
  )?.because
}
