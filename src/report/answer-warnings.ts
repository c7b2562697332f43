import { isRedirect } from '../client/reply.ts'
import type { LoadSummary } from '../load/figures/summary.ts'
import { grouped } from './quantity.ts'
import type { VerdictRecord } from './record.ts'

/** Statuses that only lead elsewhere, and how many answers had one of them. */
function elsewhere(statuses: LoadSummary['statuses']): { many: number; seen: string } {
  const found = Object.entries(statuses).filter(([status]) => isRedirect(Number(status)))
  const seen = found.map(([status]) => status).join(', ')
  return { many: found.reduce((sum, [, count]) => sum + count, 0), seen }
}

/**
 * What is to be said of a load's answers that were errors, or led elsewhere, whose figures are
 * hardly those of the service: `20 of 20 answers were 4xx`.
 */
export function answerWarnings({
  statuses = {},
  errors = {}
}: Partial<Pick<LoadSummary, 'statuses' | 'errors'>>): string[] {
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  const share = (many: number) =>
    many < answers ? ` (${((100 * many) / answers).toPrecision(3)} %)` : ''
  const counted = (many: number) => `${grouped(many)} of ${grouped(answers)} answers`
  const { many: redirects, seen } = elsewhere(statuses)
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
