import { claimIn } from './check.ts'
import type { ClaimKind } from './claims.ts'
import type { Row } from './row.ts'

/** What three answers in a row say in one field. */
type Three = { before: number; said: number; after: number }

/**
 * One of those accepted in a row that says that more is left than the one before it and its own
 * cost leave, or less by more than its cost, though the one after it goes on as if it had not: in
 * words; undefined where there is none. What rounds down fractions may tell one less by chance.
 */
export function oddRemaining(
  field: string,
  cost: number,
  accepted: readonly Row[]
): string | undefined {
  return oddIn('remaining', field, accepted, ({ before, said, after }) => {
    const due = before - cost
    return after === due - cost && (said > due || said < due - cost)
  })
}

/**
 * The same of an answer that tells another limit than the ones before and after it, though what is
 * left falls by as much from each to the next: of another policy another number would be left.
 */
export function oddLimit(field: string, accepted: readonly Row[]): string | undefined {
  const left = accepted.map(({ claims }) => claims.remaining[0]?.value ?? Number.NaN)
  return oddIn('limit', field, accepted, ({ before, said, after }, nth) => {
    const isOne = left[nth - 1]! - left[nth]! === left[nth]! - left[nth + 1]!
    return isOne && before === after && said !== before
  })
}

function oddIn(
  kind: ClaimKind,
  field: string,
  accepted: readonly Row[],
  isOdd: (three: Three, nth: number) => boolean
): string | undefined {
  const claims = accepted.map((row) => claimIn(row, kind, field))
  for (const [index, one] of claims.entries()) {
    const [before, after] = [claims[index - 1], claims[index + 1]]
    if (!one || !before || !after) continue
    if (isOdd({ before: before.value, said: one.value, after: after.value }, index)) {
      return `${one.text}; ${before.text} just before and ${after.text} just after`
    }
  }
}
