import { placeBelow } from '../scenario/place.ts'
import type { ImportedOperation } from './operations.ts'
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
  | { clause: WrittenClause; kind: 'scope'; shown: ScopeShown }

/** What is shown of all ways to be let in: nothing, or something wrong. */
export function shownOf(
  { security }: ImportedOperation,
  kind: 'none' | 'wrong'
): Record<string, string | undefined> {
  return Object.fromEntries(
    security.toReversed().map(({ in: place, parameter, wrong }) => {
      const at = place === 'header' ? parameter.toLowerCase() : placeBelow(place, parameter)
      return [at, kind === 'wrong' ? wrong : undefined]
    })
  )
}
