import type { LoadSummary } from '../load/summary.ts'
import { grouped } from './quantity.ts'

/** What is to be said of a load's answers that were errors: `20 of 20 answers were 4xx`. */
export function answerRemarks({ statuses, errors }: LoadSummary): string[] {
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return ['4xx', '5xx'].flatMap((kind) => {
    const many = errors[kind] ?? 0
    if (many === 0) return []
    const share = many < answers ? ` (${((100 * many) / answers).toPrecision(3)} %)` : ''
    return [`${grouped(many)} of ${grouped(answers)} answers were ${kind}${share}`]
  })
}
