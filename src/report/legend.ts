import { type Outcome, type OutcomeCounts, outcomes } from '../verdict/outcome.ts'
import { coverageShortfall } from './coverage.ts'
import { isOwnIn } from './own-verdict.ts'
import type { Lost, Report, VerdictRecord } from './record.ts'

/** How every format shows an outcome, and what it means for the reader. */
export const legend: Record<Outcome, { mark: string; meaning: string }> = {
  fail: { mark: '✘', meaning: 'The target contradicts the document.' },
  warning: { mark: '▲', meaning: 'Advice drawn from the document is not followed.' },
  error: { mark: '!', meaning: 'A fault of the harness; it says nothing about the target.' },
  inconclusive: { mark: '?', meaning: 'The answers do not decide it.' },
  blocked: { mark: '⊘', meaning: 'Something that has to work first did not.' },
  changed: { mark: '≠', meaning: 'The document is silent, and the target differs from last time.' },
  deviation: { mark: '≈', meaning: 'A contradiction that is known and accepted.' },
  observed: { mark: '○', meaning: 'The document is silent; what the target does is recorded.' },
  pass: { mark: '✔', meaning: 'The target does what the document says.' },
  inapplicable: {
    mark: '–',
    meaning: 'What it presupposes was not shown, so it says nothing here.'
  },
  untested: { mark: '·', meaning: 'Nothing was asked.' }
}

/** `3 fail · 41 pass`: the outcomes that occur, worst first. */
export function countsText(counts: OutcomeCounts): string {
  const occurring = outcomes.filter((outcome) => counts[outcome])
  return occurring.map((outcome) => `${counts[outcome]} ${outcome}`).join(' · ') || 'no verdicts'
}

/** Lines that could not be read as a sentence: how many, and which the first of them are. */
export function lostText({ count, first }: Lost): string {
  const named = first.map(({ line }) => line).join(', ')
  const more = count > first.length ? ' and more' : ''
  const [lines, are] = count === 1 ? ['line', 'is'] : ['lines', 'are']
  return `${count} ${lines} could not be read and ${are} left out: ${named}${more}.`
}

type Judged = Pick<VerdictRecord, 'scenario' | 'clause' | 'outcome'>
type IsOwn = ReturnType<typeof isOwnIn>

/** Outcomes by which a run is as it should be. */
const well: readonly Outcome[] = ['pass', 'deviation', 'observed', 'changed']

/** The outcomes a headline tells, worst first, with what is said of one subject and of many. */
const conclusions: readonly [Outcome, one: string, many: string][] = [
  ['fail', 'fails', 'fail'],
  ['warning', 'goes against advice', 'go against advice'],
  ['error', 'could not be checked', 'could not be checked'],
  ['inconclusive', 'is inconclusive', 'are inconclusive'],
  ['blocked', 'is blocked', 'are blocked'],
  ['changed', 'is not as last time', 'are not as last time'],
  ['pass', 'holds', 'hold'],
  ['deviation', 'deviates as expected', 'deviate as expected'],
  ['observed', 'observed, none judged', 'observed, none judged']
]

/**
 * The one sentence a run comes down to, and the outcome that decides it. Scenarios that agree on a
 * clause count once; a load's verdict about itself, whose clause is its scenario, is of a scenario.
 */
export function headline(
  verdicts: readonly Judged[],
  plan?: Report['plan']
): { outcome: Outcome; text: string } {
  const isOwn = isOwnIn(plan)
  const worst = conclusions.find(([of]) => verdicts.some(({ outcome }) => outcome === of))
  if (worst === undefined) return { outcome: 'untested', text: 'Nothing was checked' }
  const [outcome, one, many] = worst
  const those = verdicts.filter((verdict) => verdict.outcome === outcome)
  const { clauses, scenarios } = subjectsOf(those, isOwn)
  const subjects = [counted(clauses, 'clause'), counted(scenarios, 'scenario')].filter(Boolean)
  const saying = clauses + scenarios === 1 ? one : many
  return {
    outcome,
    text: `${subjects.join(' and ')} ${saying}${exceptions(verdicts, outcome, isOwn)}`
  }
}

/** The headline of one load on a URL, which has objectives in place of a document. */
const ofLoads: Partial<Record<Outcome, string>> = {
  fail: 'The objectives are missed',
  error: 'The load could not be measured',
  inconclusive: 'Whether the objectives are met cannot be told',
  blocked: 'Nothing was answered',
  pass: 'Every objective is met',
  observed: 'Measured, without an objective'
}

/** The same for a whole run, which is not well either where less was checked than it demanded. */
export function runHeadline(report: Report): { outcome: Outcome; text: string } {
  const told = headline(report.verdicts, report.plan)
  const { outcome } = told
  const text = (report.header.command && ofLoads[outcome]) ?? told.text
  const shortfall = coverageShortfall(report)
  return shortfall === undefined || !well.includes(outcome)
    ? { outcome, text }
    : { outcome: 'untested', text: `${text}, but ${shortfall}` }
}

/** What a run that is well has to add: that something deviates, and what says nothing by that. */
function exceptions(verdicts: readonly Judged[], outcome: Outcome, isOwn: IsOwn): string {
  if (outcome !== 'pass') return ''
  const count = (of: Outcome) => {
    const { clauses, scenarios } = subjectsOf(
      verdicts.filter((one) => one.outcome === of),
      isOwn
    )
    return clauses + scenarios
  }
  const told = (number: number, one: string, many: string) =>
    number === 0 ? '' : `, ${number} ${number === 1 ? one : many}`
  return (
    told(count('deviation'), 'deviates as expected', 'deviate as expected') +
    told(count('inapplicable'), 'does not apply', 'do not apply')
  )
}

function subjectsOf(
  verdicts: readonly Judged[],
  isOwn: IsOwn
): { clauses: number; scenarios: number } {
  const clauses = new Set(verdicts.filter((one) => !isOwn(one)).map(({ clause }) => clause)).size
  return { clauses, scenarios: verdicts.filter(isOwn).length }
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Verdicts with the worst first, otherwise in the order given. */
export function worstFirst<T extends { outcome: Outcome }>(verdicts: readonly T[]): T[] {
  return outcomes.flatMap((outcome) => verdicts.filter((one) => one.outcome === outcome))
}
