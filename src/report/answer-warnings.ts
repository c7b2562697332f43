import type { LoadSummary } from '../load/figures/summary.ts'
import { elsewhereIn } from '../verdict/redirects.ts'
import { grouped } from './quantity.ts'
import type { VerdictRecord } from './record.ts'

/**
 * What is to be said of a load's answers that were errors, or led elsewhere, whose figures are
 * hardly those of the service: `20 of 20 answers were 4xx`.
 */
export function answerWarnings({
  statuses = {},
  errors = {}
}: Partial<Pick<LoadSummary, 'statuses' | 'errors'>>): string[] {
  const { many: redirects, answers, seen } = elsewhereIn(statuses)
  const share = (many: number) =>
    many < answers ? ` (${((100 * many) / answers).toPrecision(3)} %)` : ''
  const counted = (many: number) => `${grouped(many)} of ${grouped(answers)} answers`
  const led =
    redirects === 0
      ? []
      : [
          `${counted(redirects)} were redirects, ${seen}${share(redirects)}: ` +
            'they are not followed, and where they lead was not loaded'
        ]
  return [
    ...led,
    ...['4xx', '5xx'].flatMap((kind) => {
      const many = errors[kind] ?? 0
      return many === 0 ? [] : [`${counted(many)} were ${kind}${share(many)}`]
    })
  ]
}

/** The same of what a verdict rests on; nothing where that is no load. */
export function warningsOf({ evidence }: Pick<VerdictRecord, 'evidence'>): string[] {
  return evidence.kind === 'load' ? answerWarnings(evidence.summary) : []
}
