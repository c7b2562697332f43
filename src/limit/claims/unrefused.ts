import { seconds } from './check.ts'
import type { Round } from './row.ts'

/**
 * Why a round says nothing that refused nothing, in words: how many it took, how many are said to
 * be left, and which flag allows more. Undefined where it was refused, or asked otherwise.
 */
export function unrefused(
  { accepted, refused, together }: Round,
  isTimeUp: boolean
): string | undefined {
  const [first, last] = [accepted[0], accepted.at(-1)]
  if (refused || together || !first || !last) return
  const [left] = last.claims.remaining
  const isLeft = left !== undefined && left.value > 0
  const rest = isLeft ? `, ${left.value.toLocaleString('en')} are left` : ''
  const many = `all ${accepted.length.toLocaleString('en')} were accepted`
  const how = isTimeUp ? 'the time was up (--time)' : 'no more may be sent (--requests)'
  return `${many} in ${seconds(last.answered - first.sent)}${rest}, and ${how}`
}
