import { placeBelow } from '../scenario/place.ts'
import type { ImportedOperation, Scheme } from './operations.ts'
import type { WrittenClause } from './written-clause.ts'

/** The header of a credential that is for something else, and those that are left out with it. */
export type ScopeShown = {
  header: string
  without: readonly string[]
  /** The scopes that let in, each list by itself. */
  ways: readonly string[][]
}

/** The clauses about who is let in, with what is shown. */
export type CredentialClause =
  | { clause: WrittenClause; kind: 'none' | 'wrong' | 'altered' }
  /** The ways to be let in, each as headers and places that are shown together. */
  | { clause: WrittenClause; kind: 'part'; ways: string[][] }
  | { clause: WrittenClause; kind: 'scope'; shown: ScopeShown }

/** Where something is shown: a header, or a place in the request. */
const placeOf = ({ in: place, parameter }: Scheme): string =>
  place === 'header' ? parameter.toLowerCase() : placeBelow(place, parameter)

/** The ways to be let in, where one needs more than one thing; undefined where none does. */
export function waysOf({ demands }: ImportedOperation): string[][] | undefined {
  const ways = demands.map((all) => [...new Set(all.map(placeOf))])
  return ways.some((way) => way.length > 1) ? ways : undefined
}

/** What is shown of all ways to be let in: nothing, or something wrong. */
export function shownOf(
  { security }: ImportedOperation,
  kind: 'none' | 'wrong'
): Record<string, string | undefined> {
  return Object.fromEntries(
    security.toReversed().map((one) => [placeOf(one), kind === 'wrong' ? one.wrong : undefined])
  )
}
