import type { Observation } from './verdict.ts'

/** What one attempt at a check says of a clause. */
export type Stand =
  /** It did not hold, on evidence that nothing speaks against. */
  | 'accused'
  /** What it rests on is no evidence. */
  | 'doubted'
  /** The attempt came to no point. */
  | 'silent'
  /** It held, or the document leaves it open and it was seen. */
  | 'seen'

/** So many attempts must accuse a target, and none must clear it, before a check fails. */
export const accusations = 3

/** Whether an observation accuses the target. */
export function isBroken(one: Observation): boolean {
  return one.answered && one.holds === false
}

/** What an attempt says of a clause, by its notes of it. */
export function standOf(clause: string, attempt: readonly Observation[]): Stand {
  const notes = attempt.filter((one) => one.clause === clause)
  if (notes.length === 0) return 'silent'
  if (notes.some(isBroken)) return 'accused'
  return notes.every((one) => one.answered) ? 'seen' : 'doubted'
}

/** Whether further attempts would tell more of a clause. */
export function isOpen(clause: string, attempts: readonly Observation[][]): boolean {
  const stands = attempts.map((attempt) => standOf(clause, attempt))
  if (stands.includes('seen')) return false
  const accused = stands.filter((stand) => stand === 'accused').length
  return accused > 0 ? accused < accusations : stands.includes('doubted')
}
