import type { Outcome } from '../verdict/outcome.ts'
import { isOwnIn } from './own-verdict.ts'
import type { Report, VerdictRecord } from './record.ts'

/** How subjects are listed: what asks for attention first, what is only told last. */
export const standingOrder: readonly Outcome[] = [
  ...(['fail', 'warning', 'error', 'inconclusive', 'blocked', 'changed', 'deviation'] as const),
  ...(['untested', 'pass', 'inapplicable', 'observed'] as const)
]

/**
 * What all verdicts about one subject come to. A subject is a clause, or a load that claims none
 * and is judged by itself; that is what headlines, bars and lists count.
 */
export type SubjectStanding<Judged> = {
  subject: string
  isOwn: boolean
  outcome: Outcome
  /** The one that decides first. */
  verdicts: Judged[]
}

/** What was not asked in one way decides nothing beside what was in another. */
const place = ({ outcome }: { outcome: Outcome }) =>
  outcome === 'untested' ? standingOrder.length : standingOrder.indexOf(outcome)

/** Where each subject of some verdicts stands: at its worst, in the order of first mention. */
export function standingsOf<Judged extends Pick<VerdictRecord, 'scenario' | 'clause' | 'outcome'>>(
  verdicts: readonly Judged[],
  plan?: Report['plan']
): SubjectStanding<Judged>[] {
  const isOwn = isOwnIn(plan)
  const [own, ofClauses] = [true, false].map((wanted) =>
    verdicts.filter((one) => isOwn(one) === wanted)
  )
  const subjects = [
    ...[...Map.groupBy(ofClauses!, ({ clause }) => clause)].map(([subject, those]) => {
      return { subject, isOwn: false, those }
    }),
    ...own!.map((one) => ({ subject: one.clause, isOwn: true, those: [one] }))
  ]
  return subjects.map(({ subject, isOwn, those }) => {
    const sorted = those.toSorted((one, other) => place(one) - place(other))
    return { subject, isOwn, outcome: sorted[0]!.outcome, verdicts: sorted }
  })
}
