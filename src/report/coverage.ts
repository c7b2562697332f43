import type { Outcome, OutcomeCounts } from '../verdict/outcome.ts'
import type { Coverage } from '../verdict/verdict.ts'
import { isOwnIn } from './own-verdict.ts'
import type { Header, Report, VerdictRecord } from './record.ts'

const judging: readonly Outcome[] = ['pass', 'fail', 'warning', 'deviation']
const observing: readonly Outcome[] = ['observed', 'changed']

/**
 * How often each outcome occurs, and how much of a document of `clauses` clauses that covers. Two
 * scenarios may claim one clause; one of them coming to a conclusion is enough. A load's verdict
 * about itself, whose clause is its scenario, covers none.
 */
export function coverageOf(
  verdicts: readonly Pick<VerdictRecord, 'scenario' | 'clause' | 'outcome'>[],
  clauses: number,
  plan?: Report['plan']
): { counts: OutcomeCounts; coverage: Coverage } {
  const counts: OutcomeCounts = {}
  for (const { outcome } of verdicts) counts[outcome] = (counts[outcome] ?? 0) + 1
  const isOwn = isOwnIn(plan)
  const ofClauses = verdicts.filter((one) => !isOwn(one))
  const claimed = (among: readonly Outcome[]) =>
    new Set(ofClauses.filter((one) => among.includes(one.outcome)).map((one) => one.clause)).size
  const judged = claimed(judging)
  const observed = claimed([...judging, ...observing]) - judged
  const asked = new Set(
    ofClauses.filter(({ outcome }) => outcome !== 'untested').map(({ clause }) => clause)
  ).size
  const undecided = asked - judged - observed
  const untested = Math.max(0, clauses - asked)
  return { counts, coverage: { clauses, judged, observed, undecided, untested } }
}

/** What a report's footer says, or what its verdicts amount to when it was cut short. */
export function tally(report: Report): { counts: OutcomeCounts; coverage: Coverage } {
  return report.footer ?? coverageOf(report.verdicts, report.header.document.clauses, report.plan)
}

/** Percentage of the clauses that was judged or observed, rounded down: 100 means all of them. */
export function coveredPercent({ clauses, judged, observed }: Coverage): number {
  return clauses === 0 ? 0 : Math.floor((100 * (judged + observed)) / clauses)
}

/** What a run demanded that its clauses are not covered to, in words; undefined where they are. */
export function coverageShortfall({ footer }: Report): string | undefined {
  const { coverage, requireCoverage = 0 } = footer ?? {}
  if (coverage === undefined || requireCoverage === 0) return undefined
  const covered = (100 * (coverage.judged + coverage.observed)) / coverage.clauses
  if (covered >= requireCoverage) return undefined
  const share = `${coveredPercent(coverage)} % covered, ${requireCoverage} % demanded`
  return `too little was checked: ${share}`
}

/** Coverage as a sentence, as every format prints it; empty where there is nothing to cover. */
export function coverageSentence(coverage: Coverage): string {
  if (coverage.clauses === 0) return ''
  const { clauses, judged, observed, undecided = 0, untested } = coverage
  const share = `${judged + observed} of ${clauses} clauses covered (${coveredPercent(coverage)} %)`
  const open = undecided > 0 ? `, ${undecided} undecided` : ''
  return `${share}: ${judged} judged, ${observed} observed${open}, ${untested} untested`
}

/** What a document leaves open, apart from what it states; undefined where that is nothing. */
export function openSentence({ clauses, open = 0 }: Header['document']): string | undefined {
  return open === 0 ? undefined : `${clauses - open} of the document, ${open} it leaves open`
}
