import type { Row } from './row.ts'

/** How many times what a limit says have to be accepted before it looks as if nothing counted. */
const times = 5

/** How many have to be accepted at least, and how many are sent together then at most. */
const [fewest, mostTogether] = [100, 200] as const

const lowest = (rows: readonly Row[]) => {
  return Math.min(...rows.flatMap(({ claims }) => claims.remaining.map(({ value }) => value)))
}

/** How many have to be accepted in a row of which each says that none is left, to see it. */
export const atNone = 20

/**
 * How many of those accepted last, one after another, say in a field that none is left, after one
 * that was: each of a limit of one says so.
 */
export function acceptedAtNone(accepted: readonly Row[], field?: string): number {
  const left = accepted.map(({ claims }) => {
    return claims.remaining.find((one) => field === undefined || one.field === field)?.value
  })
  const before = left.findLastIndex((value) => value === undefined || value > 0)
  return before < 0 ? 0 : left.length - 1 - before
}

/**
 * How many to send together to see whether a limit counts what is asked, and whether it refuses:
 * where many times as many as it says were accepted one after another, and never less than half
 * were said to be left; or many of which each said that none is left. Of a bucket that fills just
 * as fast as it is asked few are taken together then.
 */
export function togetherToTell(accepted: readonly Row[]): number | undefined {
  if (acceptedAtNone(accepted) > atNone) return atNone
  const limit = accepted.at(-1)?.claims.limit[0]?.value
  if (limit === undefined || limit < 1) return
  if (accepted.length < Math.max(fewest, times * limit) || lowest(accepted) < limit / 2) return
  return Math.min(mostTogether, Math.ceil(2 * limit))
}

/**
 * What those say that went out together after so many that were accepted, in words. A bucket that
 * fills faster than one after another is asked is emptied by many at once, or says that less is
 * left; of what is not counted, as where only failures are, neither is so.
 */
export function countingOf(accepted: readonly Row[], together: readonly Row[]): string {
  const count = together.length
  const taken = together.filter(({ kind }) => kind === 'accepted').length
  const many = `${accepted.length.toLocaleString('en')} one after another`
  if (taken < count) {
    const some = `${taken} of ${count} together`
    return `${many} were accepted, ${some}: it fills faster than that is asked`
  }
  const all = `${many} and ${count} together were accepted`
  const [before, least] = [lowest(accepted), lowest(together)]
  if (!Number.isFinite(least)) return all
  if (before <= 0) return `${all}, though none was left: it refuses nothing`
  return least < before - 1
    ? `${all}, of which one told that ${least} were left: it fills faster than is asked`
    : `${all}, and none told that less than ${least} were left: what was asked is not counted`
}
